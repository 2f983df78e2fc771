/** Carries out an action on the selected books, and takes it back. */
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { useNotifyProblem } from "../ui/problems.tsx";
import { useOfferUndo } from "../ui/undo.tsx";
import { runBookAction, useBookChange } from "./queries.ts";
import { beginUndo, type SelectedBooks } from "./undo-books.ts";
import { useUndoBooks } from "./use-undo-books.tsx";

export type Action = Schemas["BookActionRequest"]["action"];
export type Results = Schemas["BookActionResponse"]["results"];

export const countWith = (results: Results, wanted: Results[number]["status"]): number =>
  results.filter(({ status }) => status === wanted).length;

export function useBulkAction(books: SelectedBooks, clear: () => void) {
  const { t } = useTexts("books");
  const notifyProblem = useNotifyProblem();
  const offerUndo = useOfferUndo();
  const bookIds = [...books.keys()];
  const run = useBookChange((action: Action) => runBookAction({ bookIds, action }));
  const undo = useUndoBooks(books);
  const carryOut = (action: Action, onSuccess?: () => void) =>
    run.mutate(action, {
      onSuccess({ results }) {
        const [changed, failed] = [countWith(results, "changed"), countWith(results, "failed")];
        const message =
          failed === 0
            ? t("bulk.done", { count: changed })
            : t("bulk.doneInPart", { count: changed, failed });
        offerUndo(message, () => undo(beginUndo(action, results)));
        clear();
        onSuccess?.();
      },
      onError: notifyProblem,
    });
  return { carryOut, isPending: run.isPending };
}
