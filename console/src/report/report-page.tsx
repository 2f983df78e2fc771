/** A report to hand on: a quarter, a year or other days, on at most four printed pages. Its address opens it again. */
import { Button, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { findToday, isDay, readRange } from "../dates/range.ts";
import { isZone } from "../messages/browser-zone.ts";
import { useTexts } from "../messages/index.tsx";
import { readZone } from "../messages/zones.ts";
import { Preparation } from "../overview/preparation.tsx";
import { isPreparing, type Period } from "../overview/queries.ts";
import { PermittedPage } from "../session/permitted-page.tsx";
import { usePermission } from "../session/session.ts";
import { Loaded } from "../ui/loaded.tsx";
import { useAddress } from "../ui/use-address.ts";
import { NewContacts, TotalsSection } from "./comparison.tsx";
import { Head } from "./head.tsx";
import { PeriodFields } from "./period-fields.tsx";
import { completeRange } from "./periods.ts";
import { totalsQuery } from "./queries.ts";
import classes from "./report.module.css";
import { Section } from "./section.tsx";
import { Countries, Devices, Languages, Months, TopBooks } from "./tables.tsx";

/** Days that stay the same: a range that moves on with them would be another report tomorrow. */
const isComplete = (query: URLSearchParams): boolean =>
  !query.has("range") &&
  ["startDate", "endDate"].every((name) => isDay(query.get(name) ?? "")) &&
  isZone(query.get("timezone"));

export default function ReportPage() {
  const { t } = useTexts("report");
  const { query, change } = useAddress();
  const timezone = readZone(query);
  const range = completeRange(readRange(query, timezone), findToday(timezone));
  const canView = usePermission("view_analytics");
  useEffect(() => {
    if (!isComplete(query)) change({ range: "", ...range, timezone });
  });
  const period = { range, timezone };
  return (
    <PermittedPage
      permission="view_analytics"
      title={t("nav.report")}
      actions={<Button onClick={() => window.print()}>{t("report.print")}</Button>}
    >
      <Text maw="70ch" className={classes.noPrint}>
        {t("report.about")}
      </Text>
      <PeriodFields period={period} query={query} change={change} />
      {canView && <Report period={period} />}
    </PermittedPage>
  );
}

function Report({ period }: { period: Period }) {
  const { t } = useTexts("report");
  const canViewContacts = usePermission("view_contacts");
  const query = useQuery(totalsQuery(period));
  if (query.data === undefined && isPreparing(query.failureReason))
    return <Preparation progress={query.failureReason.progress} />;
  return (
    <Loaded query={query}>
      {(totals) => (
        <Stack gap="lg" className={classes.sheet}>
          <Head period={period} countedAt={query.dataUpdatedAt} />
          <TotalsSection totals={totals} period={period} />
          <Months period={period} />
          <Languages period={period} />
          <Countries period={period} />
          <TopBooks period={period} />
          <Devices period={period} />
          {canViewContacts && <NewContacts period={period} />}
          <Section title={t("report.counted")}>
            <Text size="sm">{t("report.countedText")}</Text>
          </Section>
        </Stack>
      )}
    </Loaded>
  );
}
