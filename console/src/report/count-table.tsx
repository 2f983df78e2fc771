/** Rows with counts, and a bar as long as the first of them. */
import type { ReactNode } from "react";
import { useTexts } from "../messages/index.tsx";
import { DataTable } from "../ui/data-table.tsx";
import classes from "./report.module.css";

export interface CountRow {
  key: string;
  label: ReactNode;
  /** Undefined: not known. The first one has the bar. */
  counts: readonly [number, ...(number | undefined)[]];
  /** Several rows together, which a bar would compare with single ones. */
  isRest?: boolean;
}

interface CountTableProps {
  name: string;
  heading: string;
  /** The headings of the counts. */
  columns: readonly string[];
  rows: readonly CountRow[];
}

export function CountTable({ name, heading, columns, rows }: CountTableProps) {
  const { formatNumber } = useTexts();
  const largest = Math.max(1, ...rows.map(({ counts: [first], isRest }) => (isRest ? 0 : first)));
  const writeCount = (count: number | undefined) => (count === undefined ? "–" : formatNumber(count));
  return (
    <DataTable
      aria-label={name}
      verticalSpacing={3}
      className={classes.table}
      rows={rows}
      keyOf={({ key }) => key}
      columns={[
        { head: heading, className: classes.name, cell: ({ label }) => label },
        { key: "bars", className: classes.bars, cell: (row) => <Bar row={row} largest={largest} /> },
        ...columns.map((head, index) => ({
          head,
          isNumber: true,
          className: index > 0 ? classes.further : undefined,
          cell: ({ counts }: CountRow) => writeCount(counts[index]),
        })),
      ]}
    />
  );
}

const Bar = ({ row: { counts, isRest }, largest }: { row: CountRow; largest: number }) =>
  !isRest &&
  counts[0] > 0 && <div className={classes.bar} style={{ inlineSize: `${(100 * counts[0]) / largest}%` }} />;
