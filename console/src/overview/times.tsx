/** Downloads over time with the range before, and the way from the form to the first use of a link. */
import { Button, Group, Stack, Table, Text } from "@mantine/core";
import { Suspense, useMemo, useState } from "react";
import { useTexts } from "../messages/index.tsx";
import { lazyPart } from "../shell/lazy-page.tsx";
import numbers from "../shell/numbers.module.css";
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

export function TimesPanel({ times: { now, before, granularity }, period }: TimesProps) {
  const { t, formatNumber, formatDay } = useTexts("overview");
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
        rows: [
          ["date", "totalDownloads", "totalBooks", "uniqueContacts", "redeemed", "totalDownloadsBefore"],
          ...now.map((row, index) => [
            row.date,
            row.totalDownloads,
            row.totalBooks,
            row.uniqueContacts,
            row.redeemed,
            earlier[index] ?? "",
          ]),
        ],
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
      {isTable && (
        <Table verticalSpacing={4} aria-label={t(`overview.times.${granularity}`)}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("overview.from")}</Table.Th>
              <Table.Th className={numbers.number}>{t("overview.now")}</Table.Th>
              <Table.Th className={numbers.number}>{t("overview.before")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {now.map(({ date, totalDownloads }, index) => (
              <Table.Tr key={date}>
                <Table.Td>{formatDay(date)}</Table.Td>
                <Table.Td className={numbers.number}>{formatNumber(totalDownloads)}</Table.Td>
                <Table.Td className={numbers.number}>{formatNumber(earlier[index] ?? 0)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Panel>
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
      value: requested === 0 ? "–" : formatPercent(redeemed / requested),
      change: undefined,
    },
    {
      label: t("overview.delivered"),
      value: formatNumber(sum(now, "totalBooks")),
      change: findChange(sum(now, "totalBooks"), sum(before, "totalBooks")),
    },
  ];
  const sentence =
    requested === 0
      ? t("overview.none")
      : t("overview.funnelSentence", { requested, redeemed, share: formatPercent(redeemed / requested) });
  return (
    <Panel
      title={t("overview.funnel")}
      sentence={sentence}
      csv={{
        name: nameFile("used", period),
        rows: [
          ["name", "range", "rangeBefore"],
          ...(["totalDownloads", "redeemed", "totalBooks"] as const).map((name) => [
            name,
            sum(now, name),
            sum(before, name),
          ]),
        ],
      }}
      isWide
    >
      <div className={classes.numbers}>
        {numbers.map(({ label, value, change }) => (
          <Stack key={label} gap={0}>
            <Text size="sm">{label}</Text>
            <Text fz="xl" fw={600}>
              {value}
            </Text>
            <Text size="sm" c="dimmed">
              {change !== undefined &&
                t("overview.change", {
                  direction: change === 0 ? "same" : change > 0 ? "more" : "other",
                  percent: formatPercent(Math.abs(change)),
                })}
            </Text>
          </Stack>
        ))}
      </div>
    </Panel>
  );
}

/** As a part of what was before; undefined if that was nothing. */
const findChange = (now: number, before: number): number | undefined =>
  before === 0 ? undefined : (now - before) / before;
