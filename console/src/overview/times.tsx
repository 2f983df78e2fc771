/** Downloads over time with the range before, and the way from the form to the first use of a link. */
import { Button, Group, Stack, Text } from "@mantine/core";
import { Suspense, useMemo, useState } from "react";
import { useTexts } from "../messages/index.tsx";
import { DataTable } from "../ui/data-table.tsx";
import { lazyPart } from "../ui/lazy-page.tsx";
import { Note } from "../ui/note.tsx";
import classes from "./overview.module.css";
import { Panel } from "./panel.tsx";
import { nameFile } from "./panels.tsx";
import type { Period, Times } from "./queries.ts";

const TimeChart = lazyPart(() => import("./time-chart.tsx"));

const sum = (rows: Times["now"], name: "totalDownloads" | "totalBooks" | "redeemed"): number =>
  rows.reduce((total, row) => total + row[name], 0);

interface TimesProps {
  times: Times;
  period: Period;
}

export function TimesPanel({ times, period }: TimesProps) {
  const { now, before, granularity } = times;
  const { t, formatDay } = useTexts("overview");
  const [isTable, setTable] = useState(false);
  const days = useMemo(() => now.map(({ date }) => date), [now]);
  const counts = useMemo(() => now.map(({ totalDownloads }) => totalDownloads), [now]);
  const earlier = useMemo(() => before.map(({ totalDownloads }) => totalDownloads), [before]);
  const [total, totalBefore] = [sum(now, "totalDownloads"), sum(before, "totalDownloads")];
  return (
    <Panel
      title={t(`overview.times.${granularity}`)}
      sentence={t("overview.timesSentence", {
        from: formatDay(period.range.startDate),
        to: formatDay(period.range.endDate),
        total,
        before: totalBefore,
      })}
      csv={{
        name: nameFile(`by-${granularity}`, period),
        rows: listTimes(times),
      }}
      isWide
    >
      <Suspense fallback={<div className={classes.chart} />}>
        <TimeChart days={days} now={counts} before={earlier} />
      </Suspense>
      <Group justify="space-between">
        <Legend />
        <Button
          className={classes.noPrint}
          variant="default"
          size="compact-sm"
          aria-expanded={isTable}
          onClick={() => setTable(!isTable)}
        >
          {isTable ? t("overview.hideTable") : t("overview.showTable")}
        </Button>
      </Group>
      {isTable && <TimesTable times={times} />}
    </Panel>
  );
}

/** The cells of a file. */
const listTimes = ({ now, before }: Times): (string | number)[][] => [
  ["date", "totalDownloads", "totalBooks", "uniqueContacts", "redeemed", "totalDownloadsBefore"],
  ...now.map((row, index) => [
    row.date,
    row.totalDownloads,
    row.totalBooks,
    row.uniqueContacts,
    row.redeemed,
    before[index]?.totalDownloads ?? "",
  ]),
];

function TimesTable({ times: { now, before, granularity } }: Pick<TimesProps, "times">) {
  const { t, formatNumber, formatDay } = useTexts("overview");
  return (
    <DataTable
      verticalSpacing={4}
      aria-label={t(`overview.times.${granularity}`)}
      rows={now}
      keyOf={({ date }) => date}
      columns={[
        { head: t("overview.from"), cell: ({ date }) => formatDay(date) },
        {
          head: t("overview.now"),
          isNumber: true,
          cell: ({ totalDownloads }) => formatNumber(totalDownloads),
        },
        {
          head: t("overview.before"),
          isNumber: true,
          cell: (_, index) => formatNumber(before[index]?.totalDownloads ?? 0),
        },
      ]}
    />
  );
}

function Legend() {
  const { t } = useTexts("overview");
  return (
    <Group gap="md">
      <Group gap="xs">
        <span className={classes.lineNow} />
        <Text size="sm">{t("overview.now")}</Text>
      </Group>
      <Group gap="xs">
        <span className={classes.lineBefore} />
        <Text size="sm">{t("overview.before")}</Text>
      </Group>
    </Group>
  );
}

/** Requested, delivered, used: each with its change against the range before. */
export function Numbers({ times: { now, before }, period }: TimesProps) {
  const { t, formatNumber, formatPercent } = useTexts("overview");
  const [requested, redeemed] = [sum(now, "totalDownloads"), sum(now, "redeemed")];
  const share = requested === 0 ? undefined : formatPercent(redeemed / requested);
  const numbers = [
    {
      label: t("overview.requested"),
      value: formatNumber(requested),
      change: findChange(requested, sum(before, "totalDownloads")),
    },
    {
      label: t("overview.redeemed"),
      value: formatNumber(redeemed),
      change: findChange(redeemed, sum(before, "redeemed")),
    },
    {
      label: t("overview.share"),
      value: share ?? "–",
      change: undefined,
    },
    {
      label: t("overview.delivered"),
      value: formatNumber(sum(now, "totalBooks")),
      change: findChange(sum(now, "totalBooks"), sum(before, "totalBooks")),
    },
  ];
  return (
    <Panel
      title={t("overview.funnel")}
      sentence={
        share === undefined
          ? t("overview.none")
          : t("overview.funnelSentence", { requested, redeemed, share })
      }
      csv={{
        name: nameFile("used", period),
        rows: listNumbers(now, before),
      }}
      isWide
    >
      <div className={classes.numbers}>
        {numbers.map((each) => (
          <NumberBefore key={each.label} {...each} />
        ))}
      </div>
    </Panel>
  );
}

/** The cells of a file. */
const listNumbers = (now: Times["now"], before: Times["before"]) => [
  ["name", "range", "rangeBefore"],
  ...(["totalDownloads", "redeemed", "totalBooks"] as const).map((name) => [
    name,
    sum(now, name),
    sum(before, name),
  ]),
];

interface NumberProps {
  label: string;
  value: string;
  change: number | undefined;
}

function NumberBefore({ label, value, change }: NumberProps) {
  const { t, formatPercent } = useTexts("overview");
  return (
    <Stack gap={0}>
      <Text size="sm">{label}</Text>
      <Text fz="xl" fw={600}>
        {value}
      </Text>
      <Note>
        {change !== undefined &&
          t("overview.change", {
            direction: change === 0 ? "same" : change > 0 ? "more" : "other",
            percent: formatPercent(Math.abs(change)),
          })}
      </Note>
    </Stack>
  );
}

/** As a part of what was before; undefined if that was nothing. */
const findChange = (now: number, before: number): number | undefined =>
  before === 0 ? undefined : (now - before) / before;
