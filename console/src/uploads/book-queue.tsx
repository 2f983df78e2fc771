/** The files that are added to a book: recognised, corrected, and stored. */
import { DraftTable } from "./draft-table.tsx";
import { draftForBook } from "./drafts.ts";
import { QueueList } from "./queue-list.tsx";
import { useQueue, useRefreshAfter } from "./upload-store.ts";

export default function BookQueue({ bookId }: { bookId: string }) {
  const queue = useQueue(bookId);
  useRefreshAfter(queue);
  const drafts = draftForBook(queue, bookId);
  return (
    <>
      {queue.length > 0 && <QueueList queue={queue} />}
      {drafts.length > 0 && <DraftTable drafts={drafts} />}
    </>
  );
}
