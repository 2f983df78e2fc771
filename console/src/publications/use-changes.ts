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
  NOTHING_WANTED,
  removeWanted,
  splitRejected,
  takeBatch,
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

export function usePublicationChanges(languageCode: string) {
  const queries = useQueryClient();
  const notifyProblem = useNotifyProblem();
  const hasEnded = useSessionEnd();
  const [wanted, setWanted] = useState(NOTHING_WANTED);
  const [history, setHistory] = useState<readonly (readonly Change[])[]>([]);
  const [delay, setDelay] = useState(QUIET_MS);
  const { queryKey } = gridQuery(languageCode);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (batch: readonly Change[]) => savePublications(languageCode, batch),
    onSuccess(_, batch) {
      queries.setQueryData(queryKey, (grid) => grid && applyChanges(grid, batch));
      setWanted((former) => removeWanted(former, batch));
      setDelay(QUIET_MS);
      return queries.invalidateQueries({ queryKey: ["books"] });
    },
    onError(problem, batch) {
      const next = decideDelay(problem, delay);
      setDelay(next ?? QUIET_MS);
      if (next !== undefined) return undefined;
      const fields = problem instanceof Problem ? problem.fields : [];
      setWanted((former) => removeWanted(former, splitRejected(batch, fields).rejected));
      notifyProblem(problem);
      return queries.invalidateQueries({ queryKey });
    },
  });
  useEffect(() => {
    if (wanted.size === 0 || isPending || hasEnded) return undefined;
    const timer = setTimeout(() => mutate(takeBatch(wanted)), delay);
    return () => clearTimeout(timer);
  }, [wanted, isPending, hasEnded, delay, mutate]);
  return {
    wanted,
    /** Why nothing could be saved at the last attempt. */
    problem: wanted.size > 0 && !isPending ? error : null,
    canUndo: history.length > 0,
    change(changes: readonly Change[]) {
      if (changes.length === 0) return;
      setWanted((former) => addWanted(former, changes));
      setHistory([...history, changes]);
    },
    /** @returns how many publications have their former state again */
    undo(): number {
      const last = history.at(-1);
      if (!last) return 0;
      setWanted((former) => addWanted(former, undoChanges(last)));
      setHistory(history.slice(0, -1));
      return last.length;
    },
  };
}

export type PublicationChanges = ReturnType<typeof usePublicationChanges>;
