/** Totals of the range beside those of the range before, and the contacts that were new in each. */
import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTexts } from "../messages/index.tsx";
import type { Period } from "../overview/queries.ts";
import { DataTable } from "../ui/data-table.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { Note } from "../ui/note.tsx";
import { findComparison } from "./periods.ts";
import { type Compared, newContactsQuery, type Totals } from "./queries.ts";
import classes from "./report.module.css";
import { Section } from "./section.tsx";

interface ComparedRow {
  label: string;
  now: number;
  before: number | undefined;
}

/** As a part of what was before, with its sign; a dash where that was nothing. */
function writeChange(language: string, { now, before }: ComparedRow): string {
  if (before === undefined || before === 0) return "–";
  const format = { style: "percent", maximumFractionDigits: 1, signDisplay: "exceptZero" } as const;
  return new Intl.NumberFormat(language, format).format((now - before) / before);
}

function ComparedTable({ name, period, rows }: { name: string; period: Period; rows: ComparedRow[] }) {
  const { t, language, formatNumber } = useTexts("report", "overview");
  const before = findComparison(period.range);
  return (
    <DataTable
      aria-label={name}
      verticalSpacing={3}
      className={classes.table}
      rows={rows}
      keyOf={({ label }) => label}
      columns={[
        { head: t("report.count"), className: classes.name, cell: ({ label }) => label },
        {
          key: "now",
          head: <RangeHead text={t("overview.now")} range={period.range} />,
          isNumber: true,
          cell: ({ now }) => <b>{formatNumber(now)}</b>,
        },
        {
          key: "before",
          head: <RangeHead text={t("overview.before")} range={before} />,
          isNumber: true,
          cell: (row) => (row.before === undefined ? "–" : formatNumber(row.before)),
        },
        {
          head: t("report.change"),
          isNumber: true,
          className: classes.further,
          cell: (row) => <bdi dir="ltr">{writeChange(language, row)}</bdi>,
        },
      ]}
    />
  );
}

/** With the days, where the range has both ends. */
function RangeHead({ text, range }: { text: string; range: Period["range"] | undefined }) {
  const { t, formatDay } = useTexts("report");
  return (
    <>
      {text}
      {range && (
        <Text size="xs" c="dimmed" component="div">
          {t("report.days", { from: formatDay(range.startDate), to: formatDay(range.endDate) })}
        </Text>
      )}
    </>
  );
}

interface TotalsProps {
  totals: Compared<Totals>;
  period: Period;
}

export function TotalsSection({ totals: { now, before }, period }: TotalsProps) {
  const { t } = useTexts("report", "overview");
  const row = (name: keyof Totals, label: string) => ({ label, now: now[name], before: before?.[name] });
  return (
    <Section title={t("report.totals")}>
      <ComparedTable
        name={t("report.totals")}
        period={period}
        rows={[
          row("downloads", t("overview.requested")),
          row("redeemed", t("overview.redeemed")),
          row("books", t("overview.delivered")),
          row("contacts", t("report.readers")),
          row("countries", t("report.countriesReached")),
        ]}
      />
    </Section>
  );
}

/** For those who may see contacts. */
export function NewContacts({ period }: { period: Period }) {
  const { t } = useTexts("report");
  return (
    <Loaded query={useQuery(newContactsQuery(period))}>
      {({ now, before }) => (
        <Section title={t("report.contacts")}>
          <ComparedTable
            name={t("report.contacts")}
            period={period}
            rows={[
              { label: t("report.newContacts"), now: now.added, before: before?.added },
              { label: t("report.agreed"), now: now.agreed, before: before?.agreed },
            ]}
          />
          <Note>{t("report.contactsNote")}</Note>
        </Section>
      )}
    </Loaded>
  );
}
