/** In place of reports that can't be given yet. */
import { Progress, Stack, Text } from "@mantine/core";
import { useTexts } from "../messages/index.tsx";

/** After a start, the service reads all downloads before it can count them. */
export function Preparation({ progress }: { progress: { done: number; of: number } | undefined }) {
  const { t } = useTexts("overview");
  const { done, of } = progress ?? { done: 0, of: 0 };
  return (
    <Stack gap="xs" role="status">
      <Text>{t("overview.preparing", { done, of })}</Text>
      <Progress value={of === 0 ? 0 : (100 * done) / of} aria-label={t("overview.preparingName")} />
    </Stack>
  );
}
