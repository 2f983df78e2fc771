/** What is sent with the start of an import: how somebody has corrected its plan. Nothing here knows the page. */
import type { Schemas } from "../api/client.ts";
import {
  type BookDrafts,
  type Draft,
  findObstacles,
  isComplete,
  type Plan,
  type PlannedBook,
} from "./drafts.ts";
import type { Edit, Queue } from "./queue.ts";

export type Correction = Schemas["ImportCorrection"] & { path: string };

/** Only those that the service takes can be chosen. */
const isFileType = (text: string | undefined): text is Schemas["FileType"] =>
  text !== undefined && text !== "";

/** What is chosen makes another plan. What is typed doesn't: each letter would. */
export const listChoices = (queue: Queue): Correction[] =>
  queue.flatMap(({ path, edit: { isWanted, answer, languageCode, fileType } }) =>
    isWanted || answer || languageCode || isFileType(fileType)
      ? {
          path,
          ...(languageCode && { languageCode }),
          ...(isFileType(fileType) && { fileType }),
          ...(isWanted && { leaveOut: false }),
          ...(answer && { book: answer.isSame ? answer.bookId : "new" }),
        }
      : [],
  );

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
  const leftOut = new Set(queue.flatMap(({ path, edit }) => (isTakenOut(edit) ? path : [])));
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
      ...((leftOut.has(path) || isCopyOf(draft, leftOut)) && { leaveOut: true }),
    };
    return Object.keys(correction).length > 1 ? [correction] : [];
  });
}

const isTakenOut = ({ isIncluded, bookTitle }: Edit): boolean =>
  isIncluded === false || bookTitle?.trim() === "";

/** Without the file whose bytes it has, an import would store it in its place. */
const isCopyOf = (draft: Draft | undefined, leftOut: ReadonlySet<string>): boolean =>
  draft?.isIncluded === false && draft.knownAs.some((each) => "path" in each && leftOut.has(each.path));

/** Whether a file was put into another book than the plan has it in: corrections can't say that of books that are new. */
export const areRegrouped = (drafts: readonly Draft[]): boolean =>
  drafts.some((draft) => draft.isIncluded && isComplete(draft) && draft.book.slug !== draft.planned?.slug);

const HEADER = ["slug", "title_en", "language", "title", "file", "format", "replace", "cover"];

/** What a spreadsheet has besides the books. */
interface Described {
  plan: Plan;
  /** The folder that paths in it don't have. */
  root: string;
  corrections: readonly Correction[];
  /** Of new books, by the paths of their files: a later import finds them by these. */
  slugs?: ReadonlyMap<string, string>;
}

/** The rows of a spreadsheet by which an import makes these books, in the order in which the plan has them. */
export function describeBooks(groups: readonly BookDrafts[], described: Described): string[][] {
  const { books } = described.plan;
  const byBase = new Map(groups.map((group) => [group.base, group]));
  const known = books.flatMap((planned) => {
    const { slug, titleEn, status } = planned;
    const group = byBase.get(slug);
    // Also the texts of a file that isn't stored can fill what the book lacks.
    const isFilled = status === "update" && findObstacles(planned).length === 0;
    const bare = isFilled ? { book: { slug, titleEn }, base: slug, drafts: [], covers: [] } : undefined;
    const rows = group ?? bare;
    return rows ? describeBook(rows, planned, described) : [];
  });
  const slugs = new Set(books.map(({ slug }) => slug));
  const others = groups.filter(({ base }) => base === undefined || !slugs.has(base));
  return [HEADER, ...known, ...others.flatMap((group) => describeBook(group, undefined, described))];
}

function describeBook(
  group: BookDrafts,
  planned: PlannedBook | undefined,
  { root, corrections, slugs }: Described,
): string[][] {
  const { book, drafts, covers } = group;
  const byPath = new Map(corrections.map((correction) => [correction.path, correction]));
  const slug = book.slug ?? slugs?.get(drafts[0]?.path ?? "") ?? "";
  const ofBook = [slug, nameBook(group, planned)];
  const shown = new Set(drafts.map(({ path }) => path));
  const others = (planned?.files ?? []).filter(
    ({ path, status }) => isCompared(status) && !shown.has(path) && byPath.get(path)?.leaveOut !== true,
  );
  return [
    ...[...drafts, ...others].map(({ languageCode, title, path, fileType }) => [
      ...ofBook,
      languageCode,
      byPath.get(path)?.title ?? title ?? "",
      path.slice(root.length),
      fileType,
      listReplaced(byPath.get(path)),
      "",
    ]),
    ...covers.map(({ languageCode = "", path }) => [
      ...ofBook,
      languageCode,
      ...["", "", "", ""],
      path.slice(root.length),
    ]),
  ];
}

/** Whether a file that isn't stored says something of its book. */
const isCompared = (status: string): boolean => status === "unchanged" || status === "differs";

/** What of a known book a correction replaces, which a row alone doesn't. */
const listReplaced = ({ leaveOut, title }: Partial<Correction> = {}): string =>
  [leaveOut === false ? "file" : [], title === undefined ? [] : "title"].flat().join("; ");

/** The slugs that a plan has given to the books of files. */
export const findSlugs = ({ books }: Plan): Map<string, string> =>
  new Map(books.flatMap(({ slug, files }) => files.map(({ path }) => [path, slug] as const)));

/** A known book keeps its English title, and a new one without an English edition has that of another. */
function nameBook({ book: { slug, titleEn } }: BookDrafts, planned: PlannedBook | undefined): string {
  const isPlanned = slug !== undefined && planned !== undefined;
  return isPlanned && (planned.bookId !== null || planned.titleIsBorrowed) ? "" : titleEn.trim();
}
