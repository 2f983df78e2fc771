/** What of the files isn't in the library, and why. Nothing here knows the page. */
import { type Draft, findRejectedBooks, isComplete, type Plan } from "./drafts.ts";
import type { Queue } from "./queue.ts";

export interface LeftOut {
  /** Of a file, a place in the catalogue, or the title of a book. */
  path: string;
  kind: "failed" | "rejected" | "ignored" | "excluded" | "incomplete" | "stopped" | "undone";
  reason: string;
}

/** How the last run ended. */
interface EndedRun {
  /** Books that couldn't be written. */
  failures: readonly { title: string; error: unknown }[];
  wasStopped: boolean;
}

/** The words for what the service doesn't say. */
export interface LeftOutTexts {
  whyIgnored: { other: string; about: string };
  whyExcluded: string;
  whyIncomplete: string;
  whyStopped: string;
  whyUndone: string;
  describe(error: unknown): string;
}

export function listLeftOut(
  queue: Queue,
  plan: Plan | undefined,
  drafts: readonly Draft[],
  run: EndedRun,
  texts: LeftOutTexts,
): LeftOut[] {
  const failed = new Set(queue.filter(({ status }) => status === "failed").map(({ path }) => path));
  const open = drafts.filter(({ path }) => !failed.has(path));
  const settled = new Set(
    queue
      .filter(({ status }) => status === "stored" || status === "known" || status === "undone")
      .map(({ path }) => path),
  );
  const drafted = new Set(drafts.map(({ path }) => path));
  const isOver = (path: string) => settled.has(path) || drafted.has(path) || failed.has(path);
  return [
    ...queue.flatMap(({ path, status, error }): LeftOut[] =>
      status === "failed" ? [{ path, kind: "failed", reason: texts.describe(error) }] : [],
    ),
    ...queue.flatMap(({ path, status }): LeftOut[] =>
      status === "undone" ? [{ path, kind: "undone", reason: texts.whyUndone }] : [],
    ),
    ...run.failures.map(
      ({ title, error }): LeftOut => ({ path: title, kind: "failed", reason: texts.describe(error) }),
    ),
    ...open.flatMap((draft) => explainDraft(draft, run.wasStopped, texts)),
    ...(plan ? findRejectedBooks(queue, plan, drafts) : []).map(
      (book): LeftOut => ({ ...book, kind: "rejected" }),
    ),
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

function explainDraft(draft: Draft, wasStopped: boolean, texts: LeftOutTexts): LeftOut[] {
  const { path, isIncluded, notes } = draft;
  if (!isIncluded && notes.length > 0) return [{ path, kind: "rejected", reason: notes.join(" ") }];
  if (!isIncluded) return [{ path, kind: "excluded", reason: texts.whyExcluded }];
  if (!isComplete(draft)) return [{ path, kind: "incomplete", reason: texts.whyIncomplete }];
  return wasStopped ? [{ path, kind: "stopped", reason: texts.whyStopped }] : [];
}
