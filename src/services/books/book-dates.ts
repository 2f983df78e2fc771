/** From when on, and until when, readers get a book. */
import { bodyError, type FieldError, invalidInput } from "../../errors.ts";
import type { BookRow } from "../../repositories/books.repository.ts";
import type { BookUpdate } from "../../schemas/books.schemas.ts";

type DateColumns = Pick<BookRow, "publishAt" | "unpublishAt">;
type DatesGiven = Pick<BookUpdate, "publishAt" | "unpublishAt">;

/** The columns of the dates: given values, or else those of the row. */
export const createDateColumns = (
  { publishAt, unpublishAt }: DatesGiven,
  before: DateColumns = { publishAt: null, unpublishAt: null },
): DateColumns => ({
  publishAt: publishAt === undefined ? before.publishAt : parseTime(publishAt),
  unpublishAt: unpublishAt === undefined ? before.unpublishAt : parseTime(unpublishAt),
});

const parseTime = (given: string | null): number | null => (given === null ? null : Date.parse(given));

/**
 * The error of dates that leave no time between them, at the field that was given.
 * @param prefix of the path
 */
export function findDateErrors(given: DatesGiven, before?: DateColumns, prefix = ""): FieldError[] {
  if (given.publishAt === undefined && given.unpublishAt === undefined) return [];
  const { publishAt, unpublishAt } = createDateColumns(given, before);
  if (publishAt === null || unpublishAt === null || publishAt < unpublishAt) return [];
  return given.unpublishAt === undefined
    ? [bodyError(`${prefix}publishAt`, "must be earlier than unpublishAt", "end_before_start")]
    : [bodyError(`${prefix}unpublishAt`, "must be later than publishAt", "end_before_start")];
}

/** @throws AppError 400 if no time is between them */
export function assertDates(given: DatesGiven, before?: DateColumns): void {
  const errors = findDateErrors(given, before);
  if (errors.length > 0) throw invalidInput(errors);
}
