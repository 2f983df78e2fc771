/** Values before and after an import, and which of them can be taken back. */
import { boundValue, isTruncated } from "../../../repositories/change.ts";
import type { KeptCode } from "../../../schemas/import-runs.schemas.ts";

/** As the audit log has the values: longer ones are truncated. Undefined for none. */
interface Span {
  before: unknown;
  after: unknown;
}

export type Spans = Map<string, Span>;

/** Of several changes of a field, the first value before and the last one after count. */
export function addSpan(spans: Spans, field: string, { before, after }: Span): void {
  const known = spans.get(field);
  if (known) known.after = after;
  else spans.set(field, { before, after });
}

/** @returns the values to write; what was changed since, or isn't known any more, stays */
export function planReturn(spans: Spans, current: ReadonlyMap<string, unknown>, kept: Set<KeptCode>) {
  const values: Record<string, unknown> = {};
  for (const [field, { before, after }] of spans) {
    const now = current.get(field);
    if (isSame(now, before)) continue;
    if (!isSame(now, after)) kept.add("changed_since");
    else if (isTruncated(before)) kept.add("not_recorded");
    else values[field] = before;
  }
  return values;
}

/** Whether a value is the logged one. Empty ones are alike. */
export const isSame = (current: unknown, logged: unknown): boolean =>
  JSON.stringify(normalise(boundValue(current ?? null))) === JSON.stringify(normalise(logged));

const normalise = (value: unknown): unknown =>
  value === undefined || value === "" || (Array.isArray(value) && value.length === 0) ? null : value;
