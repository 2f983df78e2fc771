/** The changed fields of an entry of the audit log that say something to people. */
import type { Schemas } from "../api/client.ts";

type Changes = Schemas["AuditEntry"]["changes"];

/** Identifiers of records whose name stands in the entry. */
const IDENTIFIERS = new Set(["bookId", "channelId", "languageId"]);

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

/** Without what was empty and is: a new record has many such fields. All of them are in the CSV. */
export const listChanges = (changes: Changes): [name: string, sides: Changes[string]][] =>
  Object.entries(changes).filter(
    ([name, { before, after }]) => !IDENTIFIERS.has(name) && !(isEmpty(before) && isEmpty(after)),
  );
