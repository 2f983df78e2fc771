/** A table of columns that are data. Where it has no room, columns are left out, or its rows are cards. */
import {
  Table,
  type TableProps,
  type TableScrollContainerProps,
  type TableTdProps,
  type TableTrProps,
} from "@mantine/core";
import type { ReactNode, Ref } from "react";
import classes from "./data-table.module.css";
import { Loaded, type LoadedProps } from "./loaded.tsx";

export interface Column<Row> {
  /** Tells columns apart whose heading isn't a text, or isn't the only one with it. */
  key?: string;
  head?: ReactNode;
  cell(row: Row, index: number): ReactNode;
  /** The narrowest window that has room for it; without it, all have. */
  from?: "sm" | "md";
  isNumber?: boolean;
  /** Whether its text stays on one line where there is room. */
  isShort?: boolean;
  width?: TableTdProps["w"];
  align?: "end";
  /** Of its cells, with the heading. */
  className?: string | undefined;
  /** As a card: whether it takes the whole line. */
  isWide?: boolean;
}

/** Some are there for some users only. */
export type Columns<Row> = readonly (Column<Row> | false | undefined)[];

interface DataTableProps<Row> extends Omit<FrameProps, "data" | "children"> {
  columns: Columns<NoInfer<Row>>;
  rows: readonly Row[];
  keyOf(row: Row, index: number): string | number;
  rowProps?(row: Row, index: number): TableTrProps & { ref?: Ref<HTMLTableRowElement> };
  /** Whether rows are cards in a narrow place. */
  isCards?: boolean;
}

const lookOf = <Row,>({ from, isNumber, isShort, className }: Column<Row>) => ({
  visibleFrom: from,
  className:
    [isNumber && classes.number, isShort && classes.short, className].filter(Boolean).join(" ") || undefined,
});

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, rows, keyOf, rowProps, isCards = false, place, ...look } = props;
  const shown = columns.filter((column) => column !== false && column !== undefined);
  const nameOf = ({ key, head }: Column<Row>) => key ?? String(head);
  const Frame = isCards ? CardTable : ScrolledTable;
  return (
    <Frame verticalSpacing="sm" place={place} {...look}>
      <Table.Thead>
        <Table.Tr>
          {shown.map((column) => {
            // A heading without a text would be announced as an empty one.
            const Head = column.head === undefined ? Table.Td : Table.Th;
            return (
              <Head key={nameOf(column)} w={column.width} ta={column.align} {...lookOf(column)}>
                {column.head}
              </Head>
            );
          })}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row, line) => (
          <Table.Tr key={keyOf(row, line)} {...rowProps?.(row, line)}>
            {shown.map((column, index) => (
              <Table.Td
                key={nameOf(column)}
                {...lookOf(column)}
                {...(isCards && index > 0 && { "data-label": column.head, "data-wide": column.isWide })}
              >
                {column.cell(row, line)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Frame>
  );
}

interface FrameProps extends TableProps {
  /** How wide the place is in which it scrolls. */
  place?: Pick<TableScrollContainerProps, "w" | "maw"> | undefined;
}

/** In a place that is narrower than it, it scrolls. */
export const ScrolledTable = ({ place, ...table }: FrameProps) => (
  <Table.ScrollContainer minWidth={0} type="native" {...place}>
    <Table {...table} />
  </Table.ScrollContainer>
);

/** Its rows are cards in a narrow place, for example on a phone. */
export const CardTable = (props: FrameProps) => (
  <div className={classes.place}>
    <ScrolledTable {...props} className={classes.cards} />
  </div>
);

interface LoadedTableProps<Data, Row> extends Omit<DataTableProps<Row>, "rows"> {
  query: LoadedProps<Data>["query"];
  rowsOf(data: Data): readonly Row[];
  /** The next step, in place of an empty list. */
  empty?: ReactNode;
}

/** A list that is loading, failed, empty or full. */
export function LoadedTable<Data, Row>({ query, rowsOf, empty, ...table }: LoadedTableProps<Data, Row>) {
  const isEmpty = (data: Data) => empty !== undefined && rowsOf(data).length === 0;
  return (
    <Loaded query={query} empty={{ when: isEmpty, text: empty }}>
      {(data) => <DataTable {...table} rows={rowsOf(data)} />}
    </Loaded>
  );
}
