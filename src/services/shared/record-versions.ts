/** Versions of records: with one, a change names the state on which it is based. */
import { createHash } from "node:crypto";
import { preconditionFailed } from "../../errors.ts";
import type { CurrentRecord } from "../../schemas/problem.schemas.ts";

/** The versions that a request accepts; `*` accepts any. Undefined: the request has no condition. */
export type ExpectedVersions = "*" | readonly string[] | undefined;

/** Long enough that two states of a record never have the same version by chance. */
const VERSION_CHARACTERS = 22;

/**
 * The opaque version of a record: the same for equal values.
 * @param values the stored values of all fields that an update can change
 */
export const versionOf = (...values: readonly (string | number | null)[]): string =>
  createHash("sha256").update(JSON.stringify(values)).digest("base64url").slice(0, VERSION_CHARACTERS);

/**
 * Call it in the transaction of the change, with the record as that transaction reads it: of several changes that are
 * based on the same state, only the first one then finds it.
 * @param objectId of a record without an id, in the audit log
 * @throws AppError 412 `changed_meanwhile`, with the record
 */
export function assertVersion(expected: ExpectedVersions, current: CurrentRecord, objectId = ""): void {
  if (isExpected(expected, current)) return;
  throw preconditionFailed("changed_meanwhile", "The record has changed since it was read.", {
    current,
    objectId: "id" in current ? String(current.id) : objectId,
  });
}

export const isExpected = (expected: ExpectedVersions, { version }: { version: string }): boolean =>
  expected === undefined || expected === "*" || expected.includes(version);
