/** What is sent with the start of an import: how somebody has corrected its plan. Nothing here knows the page. */
import type { Schemas } from "../api/client.ts";
import { type BookDrafts, type Draft, isComplete, type Plan, type PlannedBook } from "./drafts.ts";
import type { Queue } from "./queue.ts";

export type Correction = Schemas["ImportCorrection"] & { path: string };

/**
 * With the choices of the plan what was typed and taken out.
 * @param isDescribed whether a spreadsheet says which book each file belongs to
 */
export function listCorrections(
  queue: Queue,
  drafts: readonly Draft[],
  choices: readonly Correction[],
  isDescribed: boolean,
): Correction[] {
  const ofChoices = new Map(choices.map((choice) => [choice.path, choice]));
  const byPath = new Map(drafts.map((draft) => [draft.path, draft]));
  return queue.flatMap(({ path, edit }) => {
    const draft = byPath.get(path);
    const { book, ...choice } = ofChoices.get(path) ?? { path };
    const title = edit.title?.trim();
    const isOfNewBook = draft?.isIncluded && draft.book.slug === undefined;
    const chosen = isDescribed ? (isOfNewBook ? "new" : undefined) : book;
    const correction: Correction = {
      ...choice,
      ...(title && { title }),
      ...(chosen !== undefined && { book: chosen }),
      ...((edit.isIncluded === false || edit.bookTitle?.trim() === "") && { leaveOut: true }),
    };
    return Object.keys(correction).length > 1 ? [correction] : [];
  });
}

/** Whether a file was put into another book than the plan has it in: corrections can't say that of books that are new. */
export const areRegrouped = (drafts: readonly Draft[]): boolean =>
  drafts.some((draft) => draft.isIncluded && isComplete(draft) && draft.book.slug !== draft.planned?.slug);

const HEADER = ["slug", "title_en", "language", "title", "file", "cover"];

/**
 * The rows of a spreadsheet by which an import makes these books.
 * @param root the folder that paths in it don't have
 */
export function describeBooks(groups: readonly BookDrafts[], { books }: Plan, root: string): string[][] {
  const bySlug = new Map(books.map((book) => [book.slug, book]));
  return [
    HEADER,
    ...groups.flatMap((group) => {
      const { book, base, drafts, covers } = group;
      const planned = base === undefined ? undefined : bySlug.get(base);
      const ofBook = [book.slug ?? "", nameBook(group, planned)];
      const shown = new Set(drafts.map(({ path }) => path));
      const unchanged = (planned?.files ?? []).filter(
        ({ path, status }) => status === "unchanged" && !shown.has(path),
      );
      return [
        ...[...drafts, ...unchanged].map(({ languageCode, title, path }) => [
          ...ofBook,
          languageCode,
          title ?? "",
          path.slice(root.length),
          "",
        ]),
        ...covers.map(({ languageCode = "", path }) => [
          ...ofBook,
          languageCode,
          "",
          "",
          path.slice(root.length),
        ]),
      ];
    }),
  ];
}

/** A known book keeps its English title, and a new one without an English edition has that of another. */
function nameBook({ book: { slug, titleEn } }: BookDrafts, planned: PlannedBook | undefined): string {
  const isPlanned = slug !== undefined && planned !== undefined;
  return isPlanned && (planned.bookId !== null || planned.titleIsBorrowed) ? "" : titleEn.trim();
}
