/** The files that are added to a book: recognised, corrected, and stored. */
import { Button, Group, Progress, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { languagesQuery } from "../languages/queries.ts";
import { useTexts } from "../messages/index.tsx";
import { LoadFailure } from "../ui/problems.tsx";
import { stopRun, storeFiles, useBookRun } from "./book-run.ts";
import { useDescribeLeftOut } from "./describe-left-out.ts";
import { DraftTable } from "./draft-table.tsx";
import { type Draft, draftForBook, isComplete } from "./drafts.ts";
import { QueueList } from "./queue-list.tsx";
import { useQueue, useRefreshAfter } from "./upload-store.ts";

export default function BookQueue({ bookId }: { bookId: string }) {
  const queue = useQueue(bookId);
  const { isRunning } = useBookRun();
  useRefreshAfter(queue);
  const drafts = draftForBook(queue, bookId, useDescribeLeftOut());
  return (
    <>
      {queue.length > 0 && <QueueList queue={queue} isStoring={isRunning} />}
      <DraftTable drafts={drafts} bookBy="page" isDisabled={isRunning} />
      {queue.length > 0 && <Storing bookId={bookId} drafts={drafts} />}
    </>
  );
}

/** What the button stores, and how far it is. */
function Storing({ bookId, drafts }: { bookId: string; drafts: readonly Draft[] }) {
  const { t, nameLanguage, formatNumber } = useTexts("uploads");
  const { data } = useQuery(languagesQuery);
  const { isRunning, isStopping, wasStopped, hasEnded, done, of, error } = useBookRun();
  const included = drafts.filter((draft) => draft.isIncluded && isComplete(draft));
  const known = new Set(data?.languages.map(({ code }) => code));
  const used = new Set(included.map(({ languageCode }) => languageCode));
  const newLanguages = data ? [...used].filter((code) => !known.has(code)) : [];
  const store = () => storeFiles(bookId, included, newLanguages);
  const end = wasStopped ? t("uploads.stopped") : included.length === 0 && t("uploads.ended");
  return (
    <>
      {newLanguages.length > 0 && (
        <Text>
          {t("uploads.newLanguages", {
            names: newLanguages.map((code) => nameLanguage({ code })).join(", "),
          })}
        </Text>
      )}
      {drafts.length > 0 && (
        <Group>
          <Button loading={isRunning} disabled={included.length === 0 || !data} onClick={store}>
            {t("uploads.store", { count: included.length })}
          </Button>
          {isRunning && (
            <Button variant="default" disabled={isStopping} onClick={stopRun}>
              {isStopping ? t("uploads.stopping") : t("uploads.stop")}
            </Button>
          )}
        </Group>
      )}
      {error !== undefined && <LoadFailure error={error} retry={store} />}
      {isRunning && <Progress value={(done / Math.max(of, 1)) * 100} aria-hidden />}
      <Text role="status">
        {isRunning
          ? t("uploads.running", { done: formatNumber(done), all: formatNumber(of) })
          : hasEnded && end}
      </Text>
    </>
  );
}
