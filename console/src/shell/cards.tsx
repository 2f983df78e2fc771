/** A table whose rows are cards in a narrow place, for example on a phone. */
import { Table, type TableProps } from "@mantine/core";
import classes from "./cards.module.css";

export function CardTable(props: TableProps) {
  return (
    <div className={classes.place}>
      <Table.ScrollContainer minWidth={0} type="native">
        <Table {...props} className={classes.cards} />
      </Table.ScrollContainer>
    </div>
  );
}
