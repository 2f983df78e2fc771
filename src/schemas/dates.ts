/** Date ranges in queries, and their time zone. */
import { z } from "zod";
import { type DateQuery, parseDateRange } from "../lib/date-range.ts";
import { text } from "./atoms.ts";
import { withCode } from "./error-codes.ts";

/** Marks an invalid zone. Requests can't contain it, because texts have no control characters. */
const UNREADABLE = "\0";

export const dateFields = {
  startDate: text({ max: 40 })
    .optional()
    .describe(
      "Start of the date range: a day (`YYYY-MM-DD`, from midnight in `timezone`) or an ISO 8601 time with a time zone.",
    ),
  endDate: text({ max: 40 })
    .optional()
    .describe(
      "End of the date range: a day (`YYYY-MM-DD`, included completely in `timezone`) or an ISO 8601 time with a time zone.",
    ),
  timezone: text({ max: 64 })
    .optional()
    .describe("IANA name of the time zone for days, such as `Africa/Nairobi`. The default is `UTC`."),
};

/** The dates that could be parsed; the fields report the other errors. */
const readableDates = z.object({
  startDate: dateFields.startDate.catch(undefined),
  endDate: dateFields.endDate.catch(undefined),
  timezone: dateFields.timezone.catch(UNREADABLE),
});

/** A query with dateFields, or with a time zone only. The result also contains the half-open range of the dates. */
export const withDates = <S extends z.ZodRawShape & Pick<typeof dateFields, "timezone">>(
  query: z.ZodObject<S>,
) => query.superRefine(checkDates, { when: () => true }).transform(withRange);

/** The dates of a query are checked together, even if other fields are invalid, so that all errors are reported. */
function checkDates(query: unknown, context: z.core.$RefinementCtx): void {
  const dates = readableDates.safeParse(query);
  const result = dates.success ? parseDateRange(dates.data) : undefined;
  if (result === undefined || result.ok) return;
  const isReported = dates.data?.timezone === UNREADABLE;
  for (const { path, message, code } of result.errors) {
    if (path === "timezone" && isReported) continue;
    context.addIssue({ code: "custom", path: [path], message, params: withCode(code) });
  }
}

function withRange<Q extends DateQuery>(query: Q) {
  const result = parseDateRange(query);
  return { ...query, ...(result.ok ? result.range : {}) };
}
