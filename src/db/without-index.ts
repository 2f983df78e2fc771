/** Says of a column that its index isn't to be used: where the rows are known already, going by them is the short way. */
import { type RawBuilder, sql } from "kysely";

/** SQLite's own: a sign before a column, whatever its type, keeps the planner off the column's index. */
export const withoutIndex = <T = string>(column: string): RawBuilder<T> => sql<T>`+${sql.ref(column)}`;
