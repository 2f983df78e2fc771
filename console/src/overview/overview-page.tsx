/** The start page: how many readers are reached, with what and where, and what needs attention. */
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { countDays, findRange, findToday, namesRange, type Range, readRange } from "../dates/range.ts";
import { RangeFields } from "../dates/range-fields.tsx";
import { Filters } from "../lists/filters.tsx";
import { useTexts } from "../messages/index.tsx";
import { readZone } from "../messages/zones.ts";
import { PermittedPage } from "../session/permitted-page.tsx";
import { usePermission } from "../session/session.ts";
import { Loaded } from "../ui/loaded.tsx";
import { useAddress } from "../ui/use-address.ts";
import { Attention } from "./attention.tsx";
import { NoDownloads } from "./no-downloads.tsx";
import classes from "./overview.module.css";
import { Campaigns, Countries, Devices, Languages, Latest, TopBooks } from "./panels.tsx";
import { Preparation } from "./preparation.tsx";
import { isPreparing, type Period, type Times, timesQuery } from "./queries.ts";
import { Numbers, TimesPanel } from "./times.tsx";

const PRESET = "last30Days";

/** The last 30 days where the address names no range; an end that it leaves open is the nearest that makes one. */
function completeRange({ startDate, endDate }: Range, timezone: string): Range {
  const today = findToday(timezone);
  if (startDate === "" && endDate === "") return findRange(PRESET, today);
  if (startDate === "") return findRange(PRESET, endDate);
  const range = { startDate, endDate: endDate || today };
  return countDays(range) < 1 ? { startDate, endDate: startDate } : range;
}

export default function OverviewPage() {
  const { t } = useTexts("overview");
  const { query, readLatest, change } = useAddress();
  const timezone = readZone(query);
  const period = { range: completeRange(readRange(query, timezone), timezone), timezone };
  const canView = usePermission("view_analytics");
  const isComplete = namesRange(query) && query.has("timezone");
  // The address has all that is shown, also defaults.
  useEffect(() => {
    if (isComplete) return;
    const latest = readLatest();
    const zone = { timezone: latest.get("timezone") ?? timezone };
    change(namesRange(latest) ? zone : { range: PRESET, ...zone });
  });
  return (
    <PermittedPage permission="view_analytics" title={t("nav.overview")}>
      <Filters list="overview">
        <RangeFields {...period} preset={PRESET} query={query} change={change} />
      </Filters>
      {canView && (
        <>
          <Attention />
          <Reports period={period} />
        </>
      )}
    </PermittedPage>
  );
}

/** Neither in the range nor in the one before. */
const isEmpty = ({ now, before }: Times): boolean =>
  [...now, ...before].every(({ totalDownloads }) => totalDownloads === 0);

function Reports({ period }: { period: Period }) {
  const query = useQuery(timesQuery(period));
  if (query.data === undefined && isPreparing(query.failureReason))
    return <Preparation progress={query.failureReason.progress} />;
  return (
    <Loaded query={query}>
      {(times) =>
        isEmpty(times) ? (
          <NoDownloads />
        ) : (
          <div className={classes.panels}>
            <Numbers times={times} period={period} />
            <TimesPanel times={times} period={period} />
            <TopBooks period={period} />
            <Languages period={period} />
            <Countries period={period} />
            <Devices period={period} />
            <Campaigns period={period} />
            <Latest period={period} />
          </div>
        )
      }
    </Loaded>
  );
}
