/** Sends a cover in place of the present one, also once the page was left. */

import { warnWhilePending } from "../forms/unsaved.ts";
import { useTexts } from "../messages/index.tsx";
import { useNotifyProblem } from "../ui/problems.tsx";
import { sendCover, useBookChange } from "./queries.ts";
import { useReplacementNotice } from "./use-replacement-notice.tsx";

/** @param code of the language, or `default` for the cover without one */
export function useCoverUpload(bookId: string, code: string) {
  const { t } = useTexts();
  const notifyProblem = useNotifyProblem();
  const beginNotice = useReplacementNotice(bookId, code);
  const { mutateAsync, isPending, submittedAt } = useBookChange((file: File) =>
    sendCover(bookId, code, file),
  );
  return {
    isPending,
    /** Of the last one: 0 before the first. */
    submittedAt,
    take([file]: readonly File[]): void {
      if (!file) return;
      const say = beginNotice();
      void warnWhilePending(mutateAsync(file)).then((body) => say(t("saved"), body), notifyProblem);
    },
  };
}
