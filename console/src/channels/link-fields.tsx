/** What the links of a channel have: its campaign, and an address of its own. Shown on demand, since few channels need it. */
import { Button, Stack, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { useTexts } from "../messages/index.tsx";

const CAMPAIGN = ["utmSource", "utmMedium", "utmCampaign"] as const;

/** Empty for none. */
type LinkValues = Record<(typeof CAMPAIGN)[number] | "bookUrl", string>;

export function LinkFields<F extends LinkValues>({ form }: { form: UseFormReturnType<F> }) {
  const { t } = useTexts("channels");
  const before = form.getInitialValues();
  const hasAny = [...CAMPAIGN, "bookUrl" as const].some((name) => before[name]);
  const [isOpen, { open }] = useDisclosure(false);
  if (!isOpen && !hasAny)
    return (
      <Button variant="default" size="compact-sm" style={{ alignSelf: "start" }} onClick={open}>
        {t("channels.links")}
      </Button>
    );
  return (
    <Stack>
      {CAMPAIGN.map((name) => (
        <TextInput
          key={name}
          label={t(`channels.${name}`)}
          dir="auto"
          maxLength={200}
          {...form.getInputProps(name)}
        />
      ))}
      <TextInput
        label={t("channels.bookUrl")}
        description={t("channels.bookUrlHint")}
        dir="ltr"
        {...form.getInputProps("bookUrl")}
      />
    </Stack>
  );
}
