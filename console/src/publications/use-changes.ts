/** Saves what is changed in the grid, in batches and a moment later; what can't be saved yet is kept and tried again. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Problem } from "../api/client.ts";
import { useSessionEnd } from "../session/session-end.ts";
import { useNotifyProblem } from "../shell/problems.tsx";
import {
  addWanted,
  applyChanges,
  type Change,
  countWanted,
  NOTHING_WANTED,
  removeWanted,
  splitRejected,
  takeBatch,
  type Wanted,
} from "./changes.ts";
import { gridQuery, savePublications } from "./queries.ts";
import { undoChanges } from "./selection.ts";

/** After the last key or click, so that neighbours go together. */
const QUIET_MS = 400;
const MAX_DELAY_MS = 30_000;

/** Undefined for errors that don't pass by waiting. */
function decideDelay(error: unknown, delay: number): number | undefined {
  if (!(error instanceof Problem)) return undefined;
  const { status, retryAfter } = error;
  // After the log-in it is sent at once.
  if (status === 401) return QUIET_MS;
  if (status !== 0 && status !== 429 && status < 500) return undefined;
  return retryAfter === undefined ? Math.min(Math.max(delay, 1000) * 2, MAX_DELAY_MS) : retryAfter * 1000;
}

interface LanguageChanges {
  readonly wanted: Wanted;
  readonly history: readonly (readonly Change[])[];
}

const NO_CHANGES: LanguageChanges = { wanted: NOTHING_WANTED, history: [] };

/** What isn't saved of a language stays, and is saved, while another one is shown. */
export function usePublicationChanges(languageCode: string) {
  const queries = useQueryClient();
  const notifyProblem = useNotifyProblem();
  const hasEnded = useSessionEnd();
  const [byLanguage, setByLanguage] = useState<ReadonlyMap<string, LanguageChanges>>(new Map());
  const [delay, setDelay] = useState(QUIET_MS);
  const update = (code: string, next: (former: LanguageChanges) => LanguageChanges) =>
    setByLanguage((former) => new Map(former).set(code, next(former.get(code) ?? NO_CHANGES)));
  const remove = (code: string, done: readonly Change[]) =>
    update(code, ({ wanted, history }) => ({ wanted: removeWanted(wanted, done), history }));
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ code, batch }: Batch) => savePublications(code, batch),
    meta: { goesOn: true },
    async onSuccess(_, { code, batch }) {
      const { queryKey } = gridQuery(code);
      // What was asked for before the save can be older than it.
      const isRead = queries.isFetching({ queryKey }) > 0;
      await queries.cancelQueries({ queryKey });
      queries.setQueryData(queryKey, (grid) => grid && applyChanges(grid, batch));
      remove(code, batch);
      setDelay(QUIET_MS);
      if (isRead) void queries.invalidateQueries({ queryKey });
      return queries.invalidateQueries({ queryKey: ["books"] });
    },
    onError(problem, { code, batch }) {
      const next = decideDelay(problem, delay);
      setDelay(next ?? QUIET_MS);
      if (next !== undefined) return undefined;
      const fields = problem instanceof Problem ? problem.fields : [];
      remove(code, splitRejected(batch, fields).rejected);
      notifyProblem(problem);
      return queries.invalidateQueries({ queryKey: gridQuery(code).queryKey });
    },
  });
  const codes = [languageCode, ...byLanguage.keys()];
  const unsaved = codes.find((code) => (byLanguage.get(code)?.wanted.size ?? 0) > 0);
  useEffect(() => {
    if (unsaved === undefined || isPending || hasEnded) return undefined;
    const { wanted } = byLanguage.get(unsaved) ?? NO_CHANGES;
    const timer = setTimeout(() => mutate({ code: unsaved, batch: takeBatch(wanted) }), delay);
    return () => clearTimeout(timer);
  }, [unsaved, byLanguage, isPending, hasEnded, delay, mutate]);
  const { wanted, history } = byLanguage.get(languageCode) ?? NO_CHANGES;
  return {
    wanted,
    /** How many changes aren't saved yet, of all languages. */
    countUnsaved: () => [...byLanguage.values()].reduce((sum, each) => sum + countWanted(each.wanted), 0),
    isUnsaved: unsaved !== undefined,
    /** Why nothing could be saved at the last attempt. */
    problem: unsaved !== undefined && !isPending ? error : null,
    canUndo: history.length > 0,
    change(changes: readonly Change[]) {
      if (changes.length === 0) return;
      update(languageCode, (former) => ({
        wanted: addWanted(former.wanted, changes),
        history: [...former.history, changes],
      }));
    },
    undo(): void {
      const last = history.at(-1);
      if (!last) return;
      update(languageCode, (former) => ({
        wanted: addWanted(former.wanted, undoChanges(last)),
        history: former.history.slice(0, -1),
      }));
    },
  };
}

interface Batch {
  code: string;
  batch: readonly Change[];
}

export type PublicationChanges = ReturnType<typeof usePublicationChanges>;
