/** The secret of a webhook, which is shown this once. */
import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { FormDialog } from "../forms/form-dialog.tsx";
import { useUnsaved } from "../forms/unsaved.ts";
import { useTexts } from "../messages/index.tsx";
import { useCopy } from "../ui/use-copy.ts";

export interface ShownSecret {
  secret: string;
  /** Until when the former one also signs; undefined for a new webhook. */
  previousUntil?: string;
}

export function SecretDialog({ shown, close }: { shown: ShownSecret | undefined; close(): void }) {
  const { t } = useTexts("webhooks");
  return (
    <FormDialog title={t("webhooks.secretTitle")} isOpen={shown !== undefined} isLocked close={close}>
      {shown && <Secret {...shown} close={close} />}
    </FormDialog>
  );
}

function Secret({ secret, previousUntil, close }: ShownSecret & { close(): void }) {
  const { t, formatTime } = useTexts("webhooks");
  useUnsaved(true, t("webhooks.onlyNow"));
  const { copy, outcome } = useCopy(secret);
  return (
    <Stack>
      <Text>{t("webhooks.onlyNow")}</Text>
      <TextInput
        label={t("webhooks.secret")}
        readOnly
        dir="ltr"
        value={secret}
        onFocus={({ currentTarget }) => currentTarget.select()}
        data-autofocus
      />
      {previousUntil !== undefined && (
        <Text size="sm">{t("webhooks.previousUntil", { time: formatTime(previousUntil) })}</Text>
      )}
      <Text size="sm" role="status">
        {outcome && t(`webhooks.${outcome}`)}
      </Text>
      <Group justify="end">
        <Button variant="default" onClick={copy}>
          {t("webhooks.copy")}
        </Button>
        <Button onClick={close}>{t("webhooks.done")}</Button>
      </Group>
    </Stack>
  );
}
