/** Says that something was sent to a language of a book, with Undo if it took the place of something else. */
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useOfferUndo } from "../shell/undo.tsx";
import { listFormer } from "./former-contents.ts";
import { bookQuery } from "./queries.ts";
import { useBringBack } from "./use-bring-back.ts";

/**
 * @param code of the language, or `default` for the cover without one
 * @returns a function to call before it is sent, which returns one to call afterwards. That one never fails.
 */
export function useReplacementNotice(bookId: string, code: string) {
  const queries = useQueryClient();
  const offerUndo = useOfferUndo();
  const query = bookQuery(bookId);
  const { bringBack } = useBringBack();
  return () => {
    const before = queries.getQueryData(query.queryKey);
    const known = before && new Set(listFormer(before, code).map(({ key }) => key));
    return async (message: string): Promise<void> => {
      const now = known && (await queries.fetchQuery({ ...query, staleTime: 0 }).catch(() => undefined));
      const [former, another] = now ? listFormer(now, code).filter(({ key }) => !known?.has(key)) : [];
      // If others replace something at the same time, the list of what was there before tells which is which.
      if (former && !another) offerUndo(message, () => bringBack(former));
      else notifications.show({ message });
    };
  };
}
