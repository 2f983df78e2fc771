/** The list of books. Filters and page stand in the address, so that the way back leads to the same list. */
import {
  Anchor,
  Badge,
  Button,
  Checkbox,
  Group,
  NativeSelect,
  Stack,
  Table,
  Text,
  TextInput,
} from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { Link, useLocation, useSearchParams } from "react-router";
import type { Schemas } from "../api/client.ts";
import { languagesQuery } from "../languages/queries.ts";
import { useTexts } from "../messages/index.tsx";
import { usePermission } from "../session/session.ts";
import { Loading } from "../shell/loading.tsx";
import { PermittedPage } from "../shell/page.tsx";
import { LoadFailure } from "../shell/problems.tsx";
import { AddBookButton } from "./add-book.tsx";
import { BulkActions } from "./bulk-actions.tsx";
import { Cover } from "./cover.tsx";
import { booksMessages } from "./messages.ts";
import { type BookFilter, bookListQuery, SORTS } from "./queries.ts";

const STATUSES = ["active", "archived", "all"] as const;

/** The filter in the address; what it doesn't name is the default. */
function readFilter(query: URLSearchParams): BookFilter {
  return {
    search: query.get("search") ?? "",
    status: STATUSES.find((status) => status === query.get("status")) ?? "active",
    languageCode: query.get("languageCode") ?? "",
    sort: SORTS.find((sort) => sort === query.get("sort")) ?? "sortOrder",
    page: Math.max(Math.trunc(Number(query.get("page"))) || 1, 1),
  };
}

export default function BooksPage() {
  const { t } = useTexts(booksMessages);
  const canEdit = usePermission("edit_books");
  const [query, setQuery] = useSearchParams();
  const filter = readFilter(query);
  const { data, error, refetch, isPlaceholderData } = useQuery(bookListQuery(filter));
  const change = (values: Record<string, string>) =>
    setQuery(
      (former) => {
        const next = new URLSearchParams(former);
        for (const [name, value] of Object.entries({ page: "", ...values }))
          if (value) next.set(name, value);
          else next.delete(name);
        return next;
      },
      { replace: true },
    );
  return (
    <PermittedPage permission="view_books" title={t.books.title} actions={canEdit && <AddBookButton />}>
      <Filters filter={filter} change={change} />
      {error ? (
        <LoadFailure error={error} retry={refetch} />
      ) : data === undefined ? (
        <Loading />
      ) : data.books.length === 0 ? (
        <NoBooks hasFilter={query.size > 0} clear={() => setQuery({})} />
      ) : (
        <Stack aria-busy={isPlaceholderData}>
          <SelectableBooks key={query.toString()} books={data.books} canEdit={canEdit} />
          <Pages {...data.pagination} go={(page) => change({ page: page > 1 ? String(page) : "" })} />
        </Stack>
      )}
    </PermittedPage>
  );
}

function Filters({ filter, change }: { filter: BookFilter; change(values: Record<string, string>): void }) {
  const { t, nameLanguage } = useTexts(booksMessages);
  const { data } = useQuery(languagesQuery);
  const [search, setSearch] = useState(filter.search);
  const searchLater = useDebouncedCallback((text: string) => change({ search: text }), 300);
  const languages = data?.languages.map((each) => ({ value: each.code, label: nameLanguage(each) })) ?? [];
  return (
    <Group align="end" role="search">
      <TextInput
        type="search"
        label={t.books.search}
        placeholder={t.books.searchHint}
        value={search}
        onChange={({ currentTarget: { value } }) => {
          setSearch(value);
          searchLater(value);
        }}
        flex={1}
        miw={200}
      />
      <NativeSelect
        label={t.books.status}
        value={filter.status}
        data={STATUSES.map((status) => ({ value: status, label: t.books[status] }))}
        onChange={({ currentTarget: { value } }) => change({ status: value === "active" ? "" : value })}
      />
      <NativeSelect
        label={t.books.language}
        value={filter.languageCode}
        data={[{ value: "", label: t.books.anyLanguage }, ...languages]}
        onChange={({ currentTarget: { value } }) => change({ languageCode: value })}
      />
      <NativeSelect
        label={t.books.sort}
        value={filter.sort}
        data={SORTS.map((sort) => ({ value: sort, label: t.books.sorts[sort] }))}
        onChange={({ currentTarget: { value } }) => change({ sort: value === "sortOrder" ? "" : value })}
      />
    </Group>
  );
}

function NoBooks({ hasFilter, clear }: { hasFilter: boolean; clear(): void }) {
  const { t } = useTexts(booksMessages);
  return (
    <Stack align="start">
      <Text>{hasFilter ? t.books.noMatch : t.books.empty}</Text>
      {hasFilter && (
        <Button variant="default" onClick={clear}>
          {t.books.clear}
        </Button>
      )}
    </Stack>
  );
}

/** A selection belongs to one page of one filter. */
function SelectableBooks({ books, canEdit }: { books: Schemas["AdminBook"][]; canEdit: boolean }) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const bookIds = books.map(({ id }) => id).filter((id) => selected.has(id));
  const selection = canEdit ? { selected: new Set(bookIds), select: setSelected } : undefined;
  return (
    <>
      {bookIds.length > 0 && <BulkActions bookIds={bookIds} clear={() => setSelected(new Set())} />}
      <BookTable books={books} selection={selection} />
    </>
  );
}

interface Selection {
  selected: ReadonlySet<string>;
  select(bookIds: ReadonlySet<string>): void;
}

function BookTable({
  books,
  selection,
}: {
  books: Schemas["AdminBook"][];
  selection: Selection | undefined;
}) {
  const { t } = useTexts(booksMessages);
  const selectRow = useRowSelection(
    books.map(({ id }) => id),
    selection,
  );
  const all = selection && selection.selected.size === books.length;
  return (
    <Table.ScrollContainer minWidth={0} type="native">
      <Table verticalSpacing="xs" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            {selection && (
              <Table.Th w={40}>
                <Checkbox
                  aria-label={t.bulk.selectAll}
                  checked={all ?? false}
                  indeterminate={!all && selection.selected.size > 0}
                  onChange={() => selection.select(new Set(all ? [] : books.map(({ id }) => id)))}
                />
              </Table.Th>
            )}
            <Table.Th>{t.books.book}</Table.Th>
            <Table.Th visibleFrom="sm">{t.books.languages}</Table.Th>
            <Table.Th visibleFrom="sm">{t.books.files}</Table.Th>
            <Table.Th visibleFrom="sm">{t.books.downloads}</Table.Th>
            <Table.Th visibleFrom="md">{t.books.changed}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {books.map((book) => (
            <BookRow
              key={book.id}
              book={book}
              selector={
                selection && (
                  <Checkbox
                    aria-label={t.bulk.select(book.titleEn)}
                    checked={selection.selected.has(book.id)}
                    onChange={({ nativeEvent }) => selectRow(book.id, isShifted(nativeEvent))}
                  />
                )
              }
            />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

const isShifted = (event: Event): boolean => "shiftKey" in event && event.shiftKey === true;

/** A function that changes the selection of a row; with Shift, that of all rows since the last one. */
function useRowSelection(bookIds: readonly string[], selection: Selection | undefined) {
  const last = useRef<string>(undefined);
  return (bookId: string, withRange: boolean) => {
    if (!selection) return;
    const [from, to] = [bookIds.indexOf(last.current ?? bookId), bookIds.indexOf(bookId)].sort(
      (a, b) => a - b,
    );
    const range =
      withRange && from !== undefined && to !== undefined ? bookIds.slice(from, to + 1) : [bookId];
    const next = new Set(selection.selected);
    for (const id of range)
      if (selection.selected.has(bookId)) next.delete(id);
      else next.add(id);
    last.current = bookId;
    selection.select(next);
  };
}

function BookRow({ book, selector }: { book: Schemas["AdminBook"]; selector: ReactNode }) {
  const { t, formatNumber, formatTime } = useTexts(booksMessages);
  const { search } = useLocation();
  return (
    <Table.Tr>
      {selector && <Table.Td>{selector}</Table.Td>}
      <Table.Td>
        <Group wrap="nowrap" align="center">
          <Cover book={book} width={40} alt="" version={book.updatedAt} />
          <div>
            <Anchor
              component={Link}
              to={`/books/${book.id}`}
              state={{ list: search }}
              fw={500}
              style={{ overflowWrap: "anywhere" }}
            >
              <bdi>{book.titleEn}</bdi>
            </Anchor>
            {!book.isActive && (
              <Badge variant="default" size="sm" ms="xs">
                {t.books.archived}
              </Badge>
            )}
            <Text size="sm" c="dimmed" dir="ltr" style={{ overflowWrap: "anywhere" }}>
              {book.slug}
            </Text>
          </div>
        </Group>
      </Table.Td>
      <Table.Td visibleFrom="sm">{formatNumber(book.languages.length)}</Table.Td>
      <Table.Td visibleFrom="sm">{formatNumber(book.filesCount)}</Table.Td>
      <Table.Td visibleFrom="sm">{formatNumber(book.totalDownloads)}</Table.Td>
      <Table.Td visibleFrom="md">{formatTime(book.updatedAt)}</Table.Td>
    </Table.Tr>
  );
}

function Pages({ page, totalPages, total, go }: Schemas["Pagination"] & { go(page: number): void }) {
  const { t } = useTexts(booksMessages);
  return (
    <Group justify="space-between">
      <Text role="status">{t.books.count(total)}</Text>
      {totalPages > 1 && (
        <Group>
          <Button variant="default" disabled={page <= 1} onClick={() => go(page - 1)}>
            {t.books.previousPage}
          </Button>
          <Text>{t.books.page(page, totalPages)}</Text>
          <Button variant="default" disabled={page >= totalPages} onClick={() => go(page + 1)}>
            {t.books.nextPage}
          </Button>
        </Group>
      )}
    </Group>
  );
}
