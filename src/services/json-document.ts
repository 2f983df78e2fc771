/** A JSON object with lists that may be long, which go out page by page, to be saved under a name. */

/** Pages are read when the client has taken the former ones; none holds a statement open while it waits. */
export type JsonPages = AsyncIterable<readonly unknown[]>;

/** `T` is what the whole says; it is there for the types only. */
export interface JsonDocument<T> {
  /** With its ending. */
  fileName: string;
  /** What is short: at least one field. */
  head: object;
  /** The long lists by their names. */
  lists: Readonly<Record<string, JsonPages>>;
  readonly says?: T;
}
