/** Where files are dropped on a book, and what becomes of them. */
import { Suspense } from "react";
import { useTexts } from "../messages/index.tsx";
import { lazyPart } from "../ui/lazy-page.tsx";
import { Loading } from "../ui/loading.tsx";
import { Section } from "../ui/section.tsx";
import { DropArea } from "./drop-area.tsx";
import { loadQueue, useIsQueueLoaded } from "./load-queue.ts";

const BookQueue = lazyPart(() => import("./book-queue.tsx"), "uploads", "remarks");

export function BookUploads({ bookId }: { bookId: string }) {
  const { t } = useTexts();
  const isLoaded = useIsQueueLoaded();
  return (
    <Section title={t("drops.onBook")} id="add-files">
      <DropArea
        hint={t("drops.onBookHint")}
        add={async (files) => (await loadQueue()).addFiles(files, bookId)}
      />
      {isLoaded && (
        <Suspense fallback={<Loading />}>
          <BookQueue bookId={bookId} />
        </Suspense>
      )}
    </Section>
  );
}
