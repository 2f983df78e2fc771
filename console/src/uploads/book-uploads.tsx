/** Files that are dropped on a book: recognised, corrected, and added to it. */
import { Stack, Title } from "@mantine/core";
import { useTexts } from "../messages/index.tsx";
import { DraftTable } from "./draft-table.tsx";
import { draftForBook } from "./drafts.ts";
import { DropArea } from "./drop-area.tsx";
import { uploadsMessages } from "./messages.ts";
import { QueueList } from "./queue-list.tsx";
import { addFiles, useQueue, useRefreshAfter } from "./upload-store.ts";

export default function BookUploads({ bookId }: { bookId: string }) {
  const { t } = useTexts(uploadsMessages);
  const queue = useQueue(bookId);
  useRefreshAfter(queue);
  const drafts = draftForBook(queue, bookId);
  return (
    <Stack component="section" aria-labelledby="add-files">
      <Title order={2} size="h3" id="add-files">
        {t.uploads.dropOnBook}
      </Title>
      <DropArea
        title={t.uploads.drop}
        hint={t.uploads.dropOnBookHint}
        add={(files) => addFiles(files, bookId)}
      />
      {queue.length > 0 && <QueueList queue={queue} />}
      {drafts.length > 0 && <DraftTable drafts={drafts} />}
    </Stack>
  );
}
