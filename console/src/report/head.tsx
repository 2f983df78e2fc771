/** Whose report it is, and of which days. */
import { Group, Image, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { addressOf, libraryQuery } from "../library/queries.ts";
import { useTexts } from "../messages/index.tsx";
import type { Period } from "../overview/queries.ts";
import { usePermission } from "../session/session.ts";
import { Note } from "../ui/note.tsx";
import { namePeriod } from "./periods.ts";
import { organisationQuery } from "./queries.ts";
import classes from "./report.module.css";

/** What readers see of the organisation. Where no library is shown, its logo is only for those who change it. */
function useOrganisation() {
  const { language } = useTexts();
  const canChange = usePermission("manage_settings");
  const { data: organisation } = useQuery(organisationQuery(language));
  const isHidden = organisation?.logoUrl === null;
  const { data: library } = useQuery({ ...libraryQuery, enabled: canChange && isHidden });
  const own = isHidden && library?.logo ? addressOf(library.logo) : undefined;
  return { name: organisation?.name ?? "", logo: organisation?.logoUrl ?? own };
}

/** @param countedAt epoch milliseconds */
export function Head({ period, countedAt }: { period: Period; countedAt: number }) {
  const { t, language, formatDay, formatTime } = useTexts("report");
  const { name, logo } = useOrganisation();
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
      {logo !== undefined && <Image src={logo} alt="" w="auto" maw="40%" mah={64} fit="contain" />}
    </Group>
  );
}
