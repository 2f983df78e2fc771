/** What the report of an import mentions besides books and failures: files that were left out, and what isn't obvious. */

export interface Remark {
  kind: RemarkKind;
  /** A file or folder. */
  subject: string;
  detail?: string;
}

/** In the order of the report. The heading has the number of subjects, and their endings. */
const HEADINGS = [
  [
    "otherType",
    (count: number, endings: string) =>
      `Left out: ${count === 1 ? "1 file of another type" : `${count} files of other types`} (${endings})`,
  ],
  [
    "notInCatalogue",
    (count: number, endings: string) =>
      `Left out: ${formatCount(count, "file")} that no imported book of the catalogue names (${endings})`,
  ],
  ["notCompared", () => "The folder wasn't searched for files that the catalogue doesn't name"],
  ["about", (count: number) => `Left out: ${formatCount(count, "text")} about the collection`],
  [
    "noBook",
    (count: number) =>
      `Left out: ${count === 1 ? "1 image that is" : `${count} images that are`} the cover of no book`,
  ],
  [
    "unreadable",
    (count: number) =>
      `Imported by the name of the file: ${formatCount(count, "file")} whose metadata can't be read`,
  ],
  [
    "noCover",
    (count: number) =>
      `Without its cover: ${formatCount(count, "file")} with a cover that is missing or can't be used`,
  ],
  [
    "identical",
    (count: number) =>
      `Left out: ${formatCount(count, "file")} with the bytes of another file; --keep-known imports ${count === 1 ? "it" : "them"}`,
  ],
  [
    "known",
    (count: number) =>
      `Left out: ${formatCount(count, "file")} that the service has at another place; --keep-known imports ${count === 1 ? "it" : "them"}`,
  ],
  [
    "separate",
    (count: number) =>
      `Separate books: files with different names in ${formatCount(count, "folder")}; a cover.jpg in the folder, or --group folder, makes one book of them`,
  ],
  [
    "joined",
    (count: number) =>
      `One book: files with different names in ${formatCount(count, "folder")} with a cover; --group name makes separate books of them`,
  ],
] as const;

/** `languageName` is a name that was read as a language; its detail is the code. */
export type RemarkKind = (typeof HEADINGS)[number][0] | "languageName";

export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Of each kind; the heading has the number of all. */
const MAX_SUBJECTS = 10;
const MAX_ENDINGS = 10;

/** A heading for each kind, with its first subjects below. */
export function formatRemarks(remarks: readonly Remark[]): string[] {
  return HEADINGS.flatMap(([kind, headingOf]) => {
    const same = remarks.filter((remark) => remark.kind === kind);
    if (same.length === 0) return [];
    const more = same.length - MAX_SUBJECTS;
    return [
      headingOf(same.length, countEndings(same)),
      ...same
        .slice(0, MAX_SUBJECTS)
        .map(({ subject, detail }) => `  ${subject}${detail ? `: ${detail}` : ""}`),
      ...(more > 0 ? [`  and ${more} more`] : []),
    ];
  });
}

/** `.doc 3, .heic 1`, the most frequent ones first. */
function countEndings(remarks: readonly Remark[]): string {
  const byEnding = [...Map.groupBy(remarks, ({ subject }) => endingOf(subject))];
  const counts = byEnding
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([ending, same]) => `${ending} ${same.length}`);
  return [...counts.slice(0, MAX_ENDINGS), ...(counts.length > MAX_ENDINGS ? ["…"] : [])].join(", ");
}

const endingOf = (place: string): string =>
  /\.[\p{L}\p{N}]{1,8}$/u.exec(place)?.[0].toLowerCase() ?? "no ending";
