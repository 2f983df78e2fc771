/** Saves what is changed in the grid, in batches and a moment later; what can't be saved yet is kept and tried again. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Problem } from "../api/client.ts";
import { type Attempts, countAttempt, decideWait, isTemporary, NO_ATTEMPTS, PATIENCE } from "../api/retry.ts";
import { useSessionEnd } from "../session/session-end.ts";
import { useNotifyProblem } from "../ui/problems.tsx";
import {
  applyChanges,
  type Change,
  changeWanted,
  countWanted,
  endBatch,
  type LanguageChanges,
  NO_CHANGES,
  NOTHING_WANTED,
  splitRejected,
  stopBatch,
  takeBatch,
  undoChanges,
} from "./changes.ts";
import { gridQuery, savePublications } from "./queries.ts";

/** After the last key or click, so that neighbours go together. */
const QUIET_MS = 400;

/** What isn't saved of a language stays, and is saved, while another one is shown. */
export function usePublicationChanges(languageCode: string) {
  const { byLanguage, update } = useLanguages();
  const saving = useSaving(languageCode, byLanguage, update);
  const { wanted, history } = byLanguage.get(languageCode) ?? NO_CHANGES;
  const count = (part: "wanted" | "stopped") =>
    [...byLanguage.values()].reduce((sum, each) => sum + countWanted(each[part]), 0);
  return {
    wanted,
    ...saving,
    /** How many changes aren't saved, of all languages. */
    unsaved: count("wanted"),
    /** How many of these are no longer tried. */
    stopped: count("stopped"),
    /** Tries them again. */
    resume(): void {
      for (const code of byLanguage.keys())
        update(code, (former) => ({ ...former, stopped: NOTHING_WANTED }));
    },
    canUndo: history.length > 0,
    change(changes: readonly Change[]) {
      if (changes.length === 0) return;
      update(languageCode, (former) => ({
        ...changeWanted(former, changes),
        history: [...former.history, changes],
      }));
    },
    undo(): void {
      const last = history.at(-1);
      if (!last) return;
      update(languageCode, (former) => ({
        ...changeWanted(former, undoChanges(last)),
        history: former.history.slice(0, -1),
      }));
    },
  };
}

type ByLanguage = ReadonlyMap<string, LanguageChanges>;
type Update = (code: string, next: (former: LanguageChanges) => LanguageChanges) => void;

function useLanguages(): { byLanguage: ByLanguage; update: Update } {
  const [byLanguage, setByLanguage] = useState<ByLanguage>(new Map());
  return {
    byLanguage,
    update: (code, next) =>
      setByLanguage((former) => new Map(former).set(code, next(former.get(code) ?? NO_CHANGES))),
  };
}

interface Batch {
  code: string;
  batch: readonly Change[];
}

/** Sends one batch after the other, those of the shown language first. */
function useSaving(languageCode: string, byLanguage: ByLanguage, update: Update) {
  const hasEnded = useSessionEnd();
  const [pause, setPause] = useState({ attempts: NO_ATTEMPTS, delay: QUIET_MS });
  const { mutate, isPending, error } = useSaveBatch(update, pause.attempts, (attempts, delay) =>
    setPause({ attempts, delay }),
  );
  const codes = [languageCode, ...byLanguage.keys()];
  const next = codes.find((code) => takeBatch(byLanguage.get(code) ?? NO_CHANGES, 1).length > 0);
  useEffect(() => {
    if (next === undefined || isPending || hasEnded) return undefined;
    const batch = takeBatch(byLanguage.get(next) ?? NO_CHANGES);
    const timer = setTimeout(() => mutate({ code: next, batch }), pause.delay);
    return () => clearTimeout(timer);
  }, [next, byLanguage, isPending, hasEnded, pause, mutate]);
  return {
    /** Why nothing could be saved at the last attempt. */
    problem: isPending ? null : error,
  };
}

/** @param plan says how often saving has failed now, and after how many milliseconds it goes on */
function useSaveBatch(update: Update, attempts: Attempts, plan: (attempts: Attempts, delay: number) => void) {
  const queries = useQueryClient();
  const notifyProblem = useNotifyProblem();
  return useMutation({
    mutationFn: ({ code, batch }: Batch) => savePublications(code, batch),
    meta: { goesOn: true },
    async onSuccess(_, { code, batch }) {
      const { queryKey } = gridQuery(code);
      // What was asked for before the save can be older than it.
      const isRead = queries.isFetching({ queryKey }) > 0;
      await queries.cancelQueries({ queryKey });
      queries.setQueryData(queryKey, (grid) => grid && applyChanges(grid, batch));
      update(code, (former) => endBatch(former, batch));
      plan(NO_ATTEMPTS, QUIET_MS);
      if (isRead) void queries.invalidateQueries({ queryKey });
      return queries.invalidateQueries({ queryKey: ["books"] });
    },
    onError(problem, { code, batch }) {
      const wait = decideWait(problem, attempts, PATIENCE.background);
      // After a log-in it is sent at once.
      if (wait !== undefined)
        return plan(
          countAttempt(problem, attempts),
          wait === "session" ? QUIET_MS : Math.max(wait, QUIET_MS),
        );
      plan(NO_ATTEMPTS, QUIET_MS);
      if (isTemporary(problem)) return update(code, (former) => stopBatch(former, batch));
      const fields = problem instanceof Problem ? problem.fields : [];
      update(code, (former) => endBatch(former, splitRejected(batch, fields).rejected));
      notifyProblem(problem);
      return queries.invalidateQueries({ queryKey: gridQuery(code).queryKey });
    },
  });
}

export type PublicationChanges = ReturnType<typeof usePublicationChanges>;
