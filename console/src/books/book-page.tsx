/** One book: its languages with their files, its cover and its details. */
import { Alert, Anchor, Box, Button, Group, Paper, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense, useEffect } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { Problem, type Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { PermittedPage } from "../session/permitted-page.tsx";
import { usePermission } from "../session/session.ts";
import { Facts } from "../ui/facts.tsx";
import { lazyPart } from "../ui/lazy-page.tsx";
import { ListLink, useList } from "../ui/list-links.tsx";
import { Loading } from "../ui/loading.tsx";
import { Page } from "../ui/page.tsx";
import { usePageActions } from "../ui/page-actions.ts";
import { LoadFailure, useNotifyProblem } from "../ui/problems.tsx";
import { useOfferUndo } from "../ui/undo.tsx";
import { BookUploads } from "../uploads/book-uploads.tsx";
import { loadQueue } from "../uploads/load-queue.ts";
import { useFileDrop } from "../uploads/use-file-drop.ts";
import { BookDetailsForm } from "./book-details-form.tsx";
import classes from "./book-drop.module.css";
import { BookLanguages } from "./book-languages.tsx";
import { CoverSection } from "./cover-section.tsx";
import { rememberBook } from "./last-book.ts";
import { type Neighbours, useNeighbours } from "./neighbours.ts";
import { BookHistory, BookLinks } from "./on-demand.tsx";
import { archiveBook, bookQuery, restoreBook, useBookChange } from "./queries.ts";
import { ReaderView } from "./reader-view.tsx";

const DeleteBookButton = lazyPart(() => import("./delete-book.tsx"));

export default function BookPage() {
  const { t } = useTexts("books");
  const { bookId = "" } = useParams();
  const { data, error, refetch } = useQuery(bookQuery(bookId));
  const canEdit = usePermission("edit_books");
  useEffect(() => rememberBook(bookId), [bookId]);
  const neighbours = useNeighbours(bookId, useList());
  const go = useNavigate();
  const { next } = neighbours;
  const goToNext = next && (() => go(`/books/${next.id}`, { state: { list: next.list } }));
  if (error instanceof Problem && [400, 404].includes(error.status))
    return (
      <Page title={t("notFound.title")}>
        <BackToList />
      </Page>
    );
  const failure = error && <LoadFailure error={error} retry={refetch} />;
  // What was read before stays, with what was typed, when it can't be read again.
  if (!data) return failure ? <Page title={t("words.book")}>{failure}</Page> : <Loading />;
  const { book } = data;
  const content = (
    <Stack gap="lg">
      {failure}
      <Group justify="space-between">
        <BackToList />
        <NeighbourLinks {...neighbours} />
      </Group>
      {!book.isActive && <Alert color="yellow">{t("book.archivedNote")}</Alert>}
      <BookLanguages key={`languages-${book.id}`} details={data} canEdit={canEdit} />
      {canEdit && <BookUploads key={`uploads-${book.id}`} bookId={book.id} />}
      <Group align="start" gap="xl" component="section" aria-label={t("words.details")}>
        <CoverSection details={data} canEdit={canEdit} />
        <Stack flex={1} miw={260}>
          {/* Another book is another form: what was typed for one isn't taken over. */}
          {canEdit ? (
            <BookDetailsForm key={book.id} book={book} goToNext={goToNext} />
          ) : (
            <BookFacts book={book} />
          )}
        </Stack>
      </Group>
      <ReaderView details={data} />
      <BookLinks key={`links-${book.id}`} bookId={book.id} />
      <BookHistory key={`history-${book.id}`} details={data} />
    </Stack>
  );
  return (
    <PermittedPage
      permission="view_books"
      title={book.titleEn}
      actions={canEdit && <BookActions details={data} />}
    >
      {canEdit ? <BookDrop bookId={book.id}>{content}</BookDrop> : content}
    </PermittedPage>
  );
}

function BackToList() {
  const { t } = useTexts("books");
  return <ListLink to="/books">{t("book.back")}</ListLink>;
}

const NEIGHBOURS = ["previous", "next"] as const;

function NeighbourLinks(neighbours: Neighbours) {
  const { t } = useTexts("books");
  const { previous, next } = neighbours;
  const go = useNavigate();
  usePageActions(
    NEIGHBOURS.flatMap((name) => {
      const book = neighbours[name];
      if (!book) return [];
      return {
        label: t(`neighbours.${name}`),
        run: () => go(`/books/${book.id}`, { state: { list: book.list } }),
      };
    }),
  );
  if (!previous && !next) return null;
  return (
    <Group component="nav" aria-label={t("neighbours.label")} gap="md">
      {NEIGHBOURS.map((name) => {
        const book = neighbours[name];
        if (!book) return null;
        return (
          <Anchor key={name} component={Link} to={`/books/${book.id}`} state={{ list: book.list }}>
            {t(`neighbours.${name}`)}
          </Anchor>
        );
      })}
    </Group>
  );
}

function BookActions({ details }: { details: Schemas["BookDetails"] }) {
  const { t } = useTexts("books");
  const notifyProblem = useNotifyProblem();
  const offerUndo = useOfferUndo();
  const archive = useBookChange(archiveBook);
  const restore = useBookChange(restoreBook);
  const { book } = details;
  /** Offers the way back, which is the other one of the two. */
  const carryOut = (
    change: typeof archive | typeof restore,
    back: typeof archive | typeof restore,
    done: string,
  ) =>
    change.mutate(book.id, {
      onSuccess: () => offerUndo(done, () => back.mutateAsync(book.id)),
      onError: notifyProblem,
    });
  const doArchive = () => carryOut(archive, restore, t("book.archivedDone"));
  const doRestore = () => carryOut(restore, archive, t("book.restoredDone"));
  usePageActions([
    book.isActive
      ? { label: t("book.archive"), run: doArchive }
      : { label: t("book.restore"), run: doRestore },
  ]);
  if (book.isActive)
    return (
      <Button variant="default" loading={archive.isPending} onClick={doArchive}>
        {t("book.archive")}
      </Button>
    );
  return (
    <Group>
      <Button loading={restore.isPending} onClick={doRestore}>
        {t("book.restore")}
      </Button>
      <Suspense>
        <DeleteBookButton details={details} />
      </Suspense>
    </Group>
  );
}

/** The id of the section that shows the files that are added. */
const SECTION = "add-files";

/** Files that are dropped anywhere on the page of a book are added to it; a place in its table takes its own. */
function BookDrop({ bookId, children }: { bookId: string; children: ReactNode }) {
  const { t } = useTexts("books");
  const { isTarget, handlers } = useFileDrop(async (found) => {
    const { addFiles } = await loadQueue();
    document.getElementById(SECTION)?.scrollIntoView({ block: "center" });
    await addFiles(found, bookId);
  });
  return (
    <Box className={classes.page} data-target={isTarget || undefined} {...handlers}>
      {children}
      {isTarget && (
        <Paper withBorder shadow="md" role="status" className={classes.hint}>
          {t("book.dropHint")}
        </Paper>
      )}
    </Box>
  );
}

/** The fields of a book that don't depend on a language, for those who only look. */
function BookFacts({ book }: { book: Schemas["Book"] }) {
  const { t, formatNumber, formatTime, language } = useTexts("books");
  const list = new Intl.ListFormat(language, { type: "unit" });
  const { name = "", position = null } = book.series ?? {};
  return (
    <Facts
      label={t("words.details")}
      facts={[
        { label: t("words.title"), value: book.titleEn },
        { label: t("description"), value: book.description },
        { label: t("people.authors.legend"), value: list.format(book.authors) },
        { label: t("book.tags"), value: list.format(book.tags) },
        { label: t("book.series"), value: name },
        { label: t("book.seriesPosition"), value: position !== null && formatNumber(position) },
        { label: t("bookDates.publishAt"), value: book.publishAt && formatTime(book.publishAt) },
        { label: t("bookDates.unpublishAt"), value: book.unpublishAt && formatTime(book.unpublishAt) },
        { label: t("book.slug"), value: <bdi dir="ltr">{book.slug}</bdi> },
      ]}
    />
  );
}
