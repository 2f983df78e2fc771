/** What of the files isn't in the library, and why. Nothing here knows the page. */
import { type Draft, findRejectedBooks, isComplete, type Plan } from "./drafts.ts";
import type { Queue } from "./queue.ts";

export interface LeftOut {
  /** Of a file, a place in the catalogue, or the title of a book. */
  path: string;
  kind: "failed" | "rejected" | "ignored" | "excluded" | "incomplete";
  reason: string;
}

/** The words for what the service doesn't say. */
interface LeftOutTexts {
  whyIgnored: { other: string; about: string };
  whyExcluded: string;
  whyIncomplete: string;
  describe(error: unknown): string;
}

export function listLeftOut(
  queue: Queue,
  plan: Plan | undefined,
  drafts: readonly Draft[],
  texts: LeftOutTexts,
): LeftOut[] {
  const failed = new Set(queue.filter(({ status }) => status === "failed").map(({ path }) => path));
  const open = drafts.filter(({ path }) => !failed.has(path));
  const known = new Set(queue.filter(({ status }) => status === "known").map(({ path }) => path));
  const drafted = new Set(drafts.map(({ path }) => path));
  const isOver = (path: string) => known.has(path) || drafted.has(path) || failed.has(path);
  return [
    ...queue.flatMap(({ path, status, error }): LeftOut[] =>
      status === "failed" ? [{ path, kind: "failed", reason: texts.describe(error) }] : [],
    ),
    ...open.flatMap((draft) => explainDraft(draft, texts)),
    ...(plan ? findRejectedBooks(plan, drafts) : []).map((book): LeftOut => ({ ...book, kind: "rejected" })),
    ...(plan?.leftOut ?? []).flatMap(({ path, reason }): LeftOut[] =>
      isOver(path) ? [] : [{ path, kind: "rejected", reason }],
    ),
    ...queue.flatMap(({ path, status, kind }): LeftOut[] =>
      status === "ignored"
        ? [{ path, kind: "ignored", reason: texts.whyIgnored[kind === "about" ? "about" : "other"] }]
        : [],
    ),
  ];
}

function explainDraft(draft: Draft, texts: LeftOutTexts): LeftOut[] {
  const { path, isIncluded, notes } = draft;
  if (!isIncluded && notes.length > 0) return [{ path, kind: "rejected", reason: notes.join(" ") }];
  if (!isIncluded) return [{ path, kind: "excluded", reason: texts.whyExcluded }];
  return isComplete(draft) ? [] : [{ path, kind: "incomplete", reason: texts.whyIncomplete }];
}
