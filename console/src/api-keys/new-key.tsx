/** A new key, which is shown this once. */
import { Button, Code, Group, Stack, Text, TextInput } from "@mantine/core";
import { useUnsaved } from "../forms/unsaved.ts";
import { useTexts } from "../messages/index.tsx";
import { useCopy } from "../ui/use-copy.ts";

export function NewKey({ value, close }: { value: string; close(): void }) {
  const { t } = useTexts("api-keys");
  useUnsaved(true, t("apiKeys.onlyNow"));
  const { copy, outcome } = useCopy(value);
  return (
    <Stack>
      <Text>{t("apiKeys.onlyNow")}</Text>
      <TextInput
        label={t("apiKeys.key")}
        readOnly
        dir="ltr"
        value={value}
        onFocus={({ currentTarget }) => currentTarget.select()}
        data-autofocus
      />
      <div>
        <Text size="sm">{t("apiKeys.usage")}</Text>
        <Code dir="ltr">Authorization: Bearer KEY</Code>
      </div>
      <Text size="sm" role="status">
        {outcome && t(`apiKeys.${outcome}`)}
      </Text>
      <Group justify="end">
        <Button variant="default" onClick={copy}>
          {t("apiKeys.copy")}
        </Button>
        <Button onClick={close}>{t("apiKeys.done")}</Button>
      </Group>
    </Stack>
  );
}
