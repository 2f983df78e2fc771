/** How a table is described: from this follow the types of its rows, the names of its columns, and whether a move copies it. */
import type { Generated } from "kysely";

/** The stored form of a boolean. */
export type Flag = 0 | 1;

export type ReleasedState = "waiting" | "removing" | "removed";

interface Values {
  text: string;
  /** Times are epoch milliseconds in UTC. */
  integer: number;
  flag: Flag;
  direction: "ltr" | "rtl";
  releasedState: ReleasedState;
}

/** With `?` for a value that can be absent (`null`), and `=` for one that the database gives if an insert doesn't name it. */
type ColumnType = `${keyof Values}${"" | "?"}${"" | "="}`;

type Value<C extends string> = C extends `${infer T extends keyof Values}?`
  ? Values[T] | null
  : C extends keyof Values
    ? Values[C]
    : never;

export type Rows<C extends Readonly<Record<string, ColumnType>>> = {
  -readonly [N in keyof C]: C[N] extends `${infer V}=` ? Generated<Value<V>> : Value<C[N]>;
};

/**
 * @param columns in the order in which statements name them
 * @param isMoved whether `bookdist move` copies the rows
 */
export const describeTable = <const C extends Readonly<Record<string, ColumnType>>>(
  columns: C,
  { isMoved = true } = {},
) => ({ columns, isMoved });
