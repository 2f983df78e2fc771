/** What differs between an object as it was and as it is. */

export interface FieldChange {
  /** Absent when the object is new. */
  before?: unknown;
  /** Absent when the object is gone. */
  after?: unknown;
}

const MASK = "[masked]";

/** As long as the longest text of ours, a description. Of a longer list only the beginning is told. */
const MAX_CHARACTERS = 10_000;

/**
 * The fields that differ, by name. Values are compared as the JSON that they become.
 * @param masked fields of which only is told that they changed
 * @param hidden fields that aren't told at all
 */
export function changedFields(
  { before, after }: { before?: object | undefined; after?: object | undefined },
  { masked, hidden }: { masked: readonly string[]; hidden: readonly string[] },
): Record<string, FieldChange> {
  const old = new Map<string, unknown>(Object.entries(before ?? {}));
  const now = new Map<string, unknown>(Object.entries(after ?? {}));
  const changes: [string, FieldChange][] = [];
  for (const field of new Set([...old.keys(), ...now.keys()])) {
    if (hidden.includes(field)) continue;
    if (JSON.stringify(old.get(field)) === JSON.stringify(now.get(field))) continue;
    const told = masked.includes(field) ? hiddenValue : boundedValue;
    changes.push([
      field,
      {
        ...(old.has(field) && { before: told(old.get(field)) }),
        ...(now.has(field) && { after: told(now.get(field)) }),
      },
    ]);
  }
  return Object.fromEntries(changes);
}

/** Whether there is a value may be told. */
const hiddenValue = (value: unknown): unknown => (value === null ? null : MASK);

function boundedValue(value: unknown): unknown {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  if (text.length <= MAX_CHARACTERS) return value;
  return `${text.slice(0, MAX_CHARACTERS).toWellFormed()}… (${text.length} characters)`;
}
