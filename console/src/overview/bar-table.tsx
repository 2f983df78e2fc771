/** Rows with a count each, and a bar as long as it: a picture that is its own table. */
import { Button, Group } from "@mantine/core";
import { type ReactNode, useId, useState } from "react";
import { useTexts } from "../messages/index.tsx";
import { DataTable } from "../ui/data-table.tsx";
import classes from "./overview.module.css";

export interface Bar {
  key: string;
  label: ReactNode;
  count: number;
}

interface BarTableProps {
  /** Of the table. */
  name: string;
  heading: string;
  bars: readonly Bar[];
}

/** More rows are shown on request. */
const FIRST = 10;

export function BarTable({ name, heading, bars }: BarTableProps) {
  const { t, formatNumber } = useTexts("overview");
  const id = useId();
  const [isComplete, setComplete] = useState(false);
  const largest = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <>
      <DataTable
        verticalSpacing={6}
        id={id}
        aria-label={name}
        rows={isComplete ? bars : bars.slice(0, FIRST)}
        keyOf={({ key }) => key}
        columns={[
          { head: heading, className: classes.label, cell: ({ label }) => label },
          {
            head: t("words.downloads"),
            isNumber: true,
            width: "35%",
            cell: ({ count }) => (
              <>
                {formatNumber(count)}
                <div className={classes.bar} style={{ inlineSize: `${(100 * count) / largest}%` }} />
              </>
            ),
          },
        ]}
      />
      {bars.length > FIRST && (
        <Group className={classes.noPrint}>
          <Button
            variant="default"
            size="compact-sm"
            aria-expanded={isComplete}
            aria-controls={id}
            onClick={() => setComplete(!isComplete)}
          >
            {isComplete ? t("overview.showFirst") : t("overview.showAll", { count: bars.length })}
          </Button>
        </Group>
      )}
    </>
  );
}
