/** The run that stores what was planned. It goes on while one looks at other pages; there is one at a time. */
import { isPending, waitUntilRead } from "../books/sent-remarks.ts";
import { createCloseWarning } from "../shell/close-warning.ts";
import { createStore, useStore } from "../shell/store.ts";
import type { BookDrafts } from "./drafts.ts";
import type { PlanRequest } from "./plan.ts";
import type { Place } from "./queue.ts";
import { runner } from "./upload-store.ts";
import { writeDrafts } from "./write-drafts.ts";
import { createWriteSteps } from "./write-steps.ts";

export interface RunState {
  isRunning: boolean;
  isStopping: boolean;
  /** Whether the last run was stopped before its end. */
  wasStopped: boolean;
  /** How many runs have ended: the plan of what is left is another one then. */
  ended: number;
  /** Files, and books without files. */
  done: number;
  of: number;
  /** Books that couldn't be written, or covers in their files. */
  failures: readonly { title: string; error: unknown }[];
  /** Why the run ended before its first book. */
  error: unknown;
  /** Whether the last run archived new books: what was left goes on so. */
  archives: boolean;
}

const IDLE: RunState = {
  isRunning: false,
  isStopping: false,
  wasStopped: false,
  ended: 0,
  done: 0,
  of: 0,
  failures: [],
  error: undefined,
  archives: false,
};

const state = createStore(IDLE);
const change = (part: Partial<RunState>): void => state.write({ ...state.read(), ...part });

export interface RunRequest {
  groups: readonly BookDrafts[];
  newLanguages: readonly { code: string }[];
  /** The paths of files that are to be stored, or were taken out. */
  open: ReadonlySet<string>;
  /** What the plan was made of; undefined for files of a known book. */
  plan: PlanRequest | undefined;
  /** Whether new books are archived. */
  archives: boolean;
}

/** What the service still reads is remarked later. */
async function readLate(id: number, { bookId, fileId }: Place): Promise<void> {
  const read = await waitUntilRead(bookId, fileId).catch(() => undefined);
  if (read) runner.dispatch({ type: "remarked", id, remarks: read.remarks });
}

const countSteps = ({ drafts }: BookDrafts): number => Math.max(drafts.length, 1);

const warn = createCloseWarning();

export async function startRun({ groups, newLanguages, open, plan, archives }: RunRequest): Promise<void> {
  if (state.read().isRunning) return;
  change({
    ...IDLE,
    ended: state.read().ended,
    isRunning: true,
    archives,
    of: groups.reduce((sum, group) => sum + countSteps(group), 0),
  });
  warn(true);
  const unsubscribe = runner.subscribe((event) => {
    if (event.type === "stored" && event.place.fileType !== "") change({ done: state.read().done + 1 });
    if (event.type === "stored" && isPending({ remarks: event.remarks ?? [] }))
      void readLate(event.id, event.place);
    if (event.type === "failed")
      change({ done: Math.min(state.read().done + event.ids.length, state.read().of) });
  });
  try {
    await writeDrafts({
      groups,
      newLanguages,
      open,
      archives,
      steps: createWriteSteps(plan),
      target: runner,
      isStopped: () => state.read().isStopping,
      report({ book, drafts }, error) {
        if (drafts.length === 0) change({ done: state.read().done + 1 });
        if (error) change({ failures: [...state.read().failures, { title: book.titleEn, error }] });
      },
    });
  } catch (error) {
    change({ error });
  } finally {
    unsubscribe();
    warn(false);
    const { isStopping: wasStopped, ended } = state.read();
    change({ isRunning: false, isStopping: false, wasStopped, ended: ended + 1 });
  }
}

/** What is being stored is finished first. */
export const stopRun = (): void => change({ isStopping: true });

export const useRun = (): RunState => useStore(state);
