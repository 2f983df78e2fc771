/** Whose report it is, and of which days. */
import { Group, Image, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { addressOf, libraryQuery, textsQuery } from "../library/queries.ts";
import { useTexts } from "../messages/index.tsx";
import type { Period } from "../overview/queries.ts";
import { usePermission } from "../session/session.ts";
import { Note } from "../ui/note.tsx";
import { namePeriod } from "./periods.ts";
import classes from "./report.module.css";

/** The name that readers see, in the language of the console if the library has one in it. */
function useLibrary() {
  const { language } = useTexts();
  const canView = usePermission("manage_settings");
  const { data: library } = useQuery({ ...libraryQuery, enabled: canView });
  // Fails for a language that the catalogue doesn't have.
  const { data: texts } = useQuery({ ...textsQuery(language), enabled: canView, retry: false });
  return { name: texts?.name || texts?.fallback.name || library?.name || "", logo: library?.logo };
}

/** @param countedAt epoch milliseconds */
export function Head({ period, countedAt }: { period: Period; countedAt: number }) {
  const { t, language, formatDay, formatTime } = useTexts("report");
  const { name, logo } = useLibrary();
  const { range, timezone } = period;
  return (
    <Group justify="space-between" align="start" wrap="nowrap">
      <Stack gap={2} miw={0}>
        {name !== "" && (
          <Text fz="lg" fw={600} className={classes.title}>
            <bdi>{name}</bdi>
          </Text>
        )}
        <Text fw={600}>{namePeriod(range, language)}</Text>
        <Text size="sm">
          {t("report.days", { from: formatDay(range.startDate), to: formatDay(range.endDate) })} ·{" "}
          <bdi dir="ltr">{timezone}</bdi>
        </Text>
        <Note>
          {t("report.countedAt", { time: formatTime(new Date(countedAt).toISOString(), timezone) })}
        </Note>
      </Stack>
      {logo && <Image src={addressOf(logo)} alt="" w="auto" maw="40%" mah={64} fit="contain" />}
    </Group>
  );
}
