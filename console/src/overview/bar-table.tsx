/** Rows with a count each, and a bar as long as it: a picture that is its own table. */
import { Button, Group, Table } from "@mantine/core";
import { type ReactNode, useId, useState } from "react";
import { useTexts } from "../messages/index.tsx";
import numbers from "../shell/numbers.module.css";
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
      <Table verticalSpacing={6} id={id} aria-label={name}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{heading}</Table.Th>
            <Table.Th w="35%" className={numbers.number}>
              {t("overview.downloads")}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {(isComplete ? bars : bars.slice(0, FIRST)).map(({ key, label, count }) => (
            <Table.Tr key={key}>
              <Table.Td style={{ overflowWrap: "anywhere" }}>{label}</Table.Td>
              <Table.Td className={numbers.number}>
                {formatNumber(count)}
                <div className={classes.bar} style={{ inlineSize: `${(100 * count) / largest}%` }} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
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
