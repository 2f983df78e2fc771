/** Says that something was sent to a language of a book, and what is remarked on it, with Undo. */
import { Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { useOfferUndo } from "../ui/undo.tsx";
import { listFormer } from "./former-contents.ts";
import { bookQuery, removeCover, removeFile, useBookChange } from "./queries.ts";
import { isPending, readSent, type Sent, waitUntilRead } from "./sent-remarks.ts";
import { useBringBack } from "./use-bring-back.ts";
import { useRemarkLines } from "./use-remark-lines.tsx";

type Details = Schemas["BookDetails"];
type Undo = () => Promise<unknown>;

/**
 * @param code of the language, or `default` for the cover without one
 * @returns a function to call before it is sent, which returns one to call afterwards, with the body of the response. That one never fails.
 */
export function useReplacementNotice(bookId: string, code: string) {
  const queries = useQueryClient();
  const query = bookQuery(bookId);
  const { bringBack } = useBringBack();
  const removeAgain = useRemoveAgain(bookId, code);
  const show = useShowNotice(bookId);

  /** Brings back the one thing that was replaced, or else removes what was added and isn't what its place says. */
  function findUndo(before: Details, now: Details, sent: Sent | undefined): Undo | undefined {
    const known = new Set(listFormer(before, code).map(({ key }) => key));
    const [former, another] = listFormer(now, code).filter(({ key }) => !known.has(key));
    // If others replace something at the same time, the list of what was there before tells which is which.
    if (another) return undefined;
    if (former) return () => bringBack(former);
    const isNew = sent && ![...before.files, ...before.covers].some(({ id }) => id === sent.id);
    return isNew && sent.remarks.length > 0 ? () => removeAgain(sent) : undefined;
  }

  return () => {
    const before = queries.getQueryData(query.queryKey);
    return async (message: string, body: unknown): Promise<void> => {
      const sent = readSent(body);
      const now = before && (await queries.fetchQuery({ ...query, staleTime: 0 }).catch(() => undefined));
      const undo = before && now && findUndo(before, now, sent);
      const shown = await show(message, sent, undo);
      if (!sent || !isPending(sent)) return;
      const read = await waitUntilRead(bookId, sent.id).catch(() => undefined);
      if (!read || read.remarks.length === 0) return;
      notifications.hide(shown);
      await show(message, read, undo);
    };
  };
}

/** A function that returns the id of the notice. */
function useShowNotice(bookId: string) {
  const offerUndo = useOfferUndo();
  const describe = useRemarkLines(bookId);
  return async (message: string, sent: Sent | undefined, undo: Undo | undefined): Promise<string> => {
    const lines = sent && (await describe(sent.remarks));
    const text: ReactNode = lines ? (
      <Stack gap={4}>
        {message}
        {lines}
      </Stack>
    ) : (
      message
    );
    if (undo) return offerUndo(text, undo, lines !== undefined);
    return notifications.show({ message: text, ...(lines !== undefined && { autoClose: false }) });
  };
}

/** Removes what was added, and says so. */
function useRemoveAgain(bookId: string, code: string) {
  const { t } = useTexts("books");
  const remove = useBookChange(({ sent, isCover }: { sent: Sent; isCover: boolean }) =>
    isCover ? removeCover(bookId, code) : removeFile(bookId, sent.id),
  );
  return async (sent: Sent): Promise<void> => {
    const isCover = "contentType" in sent;
    await remove.mutateAsync({ sent, isCover });
    notifications.show({ message: t(isCover ? "cover.removed" : "rows.removed") });
  };
}
