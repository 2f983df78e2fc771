/** The start page: how many readers are reached, with what and where, and what needs attention. */
import { Progress, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { countDays, findRange, findToday, type Range, readRange } from "../dates/range.ts";
import { RangeFields } from "../dates/range-fields.tsx";
import { readZone } from "../dates/zones.ts";
import { useTexts } from "../messages/index.tsx";
import { usePermission } from "../session/session.ts";
import { useAddress } from "../shell/address.ts";
import fields from "../shell/fields.module.css";
import { Loaded } from "../shell/loaded.tsx";
import { PermittedPage } from "../shell/page.tsx";
import { Attention } from "./attention.tsx";
import { overviewMessages } from "./messages.ts";
import classes from "./overview.module.css";
import { Campaigns, Countries, Devices, Languages, Latest, TopBooks } from "./panels.tsx";
import { isPreparing, type Period, timesQuery } from "./queries.ts";
import { Numbers, TimesPanel } from "./times.tsx";

/** The last 30 days where the address names no range; an end that it leaves open is the nearest that makes one. */
function completeRange({ startDate, endDate }: Range, timezone: string): Range {
  const today = findToday(timezone);
  if (startDate === "" && endDate === "") return findRange("last30Days", today);
  if (startDate === "") return { ...findRange("last30Days", endDate) };
  const range = { startDate, endDate: endDate || today };
  return countDays(range) < 1 ? { startDate, endDate: startDate } : range;
}

export default function OverviewPage() {
  const { t } = useTexts(overviewMessages);
  const { query, change } = useAddress();
  const timezone = readZone(query);
  const period = { range: completeRange(readRange(query), timezone), timezone };
  const canView = usePermission("view_analytics");
  return (
    <PermittedPage permission="view_analytics" title={t.overview.title}>
      <div className={`${fields.fields} ${classes.noPrint}`}>
        <RangeFields {...period} change={change} />
      </div>
      {canView && (
        <>
          <Attention />
          <Reports period={period} />
        </>
      )}
    </PermittedPage>
  );
}

function Reports({ period }: { period: Period }) {
  const query = useQuery(timesQuery(period));
  if (query.data === undefined && isPreparing(query.failureReason))
    return <Preparation progress={query.failureReason.progress} />;
  return (
    <Loaded query={query}>
      {(times) => (
        <div className={classes.panels} aria-busy={query.isPlaceholderData}>
          <Numbers times={times} />
          <TimesPanel times={times} period={period} />
          <TopBooks period={period} />
          <Languages period={period} />
          <Countries period={period} />
          <Devices period={period} />
          <Campaigns period={period} />
          <Latest period={period} />
        </div>
      )}
    </Loaded>
  );
}

/** After a start, the service reads all downloads before it can count them. */
function Preparation({ progress }: { progress: { done: number; of: number } | undefined }) {
  const { t } = useTexts(overviewMessages);
  const { done, of } = progress ?? { done: 0, of: 0 };
  return (
    <Stack gap="xs" role="status">
      <Text>{t.overview.preparing(done, of)}</Text>
      <Progress value={of === 0 ? 0 : (100 * done) / of} aria-label={t.overview.preparingName} />
    </Stack>
  );
}
