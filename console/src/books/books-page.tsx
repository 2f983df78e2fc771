/** The list of books. Filters and page stand in the address, so that the way back leads to the same list. */
import { Anchor, Badge, Checkbox, Group, NativeSelect, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { Link, useLocation } from "react-router";
import type { Schemas } from "../api/client.ts";
import { languagesQuery } from "../languages/queries.ts";
import { useTexts } from "../messages/index.tsx";
import { usePermission } from "../session/session.ts";
import { readPage, useAddress } from "../shell/address.ts";
import { FilterText } from "../shell/filter-text.tsx";
import { Loading } from "../shell/loading.tsx";
import { NothingFound } from "../shell/nothing-found.tsx";
import { PermittedPage } from "../shell/page.tsx";
import { Pages } from "../shell/pages.tsx";
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
    page: readPage(query),
  };
}

export default function BooksPage() {
  const { t } = useTexts(booksMessages);
  const canEdit = usePermission("edit_books");
  const { query, change, clear } = useAddress();
  const filter = readFilter(query);
  const { data, error, refetch, isPlaceholderData } = useQuery(bookListQuery(filter));
  return (
    <PermittedPage permission="view_books" title={t.books.title} actions={canEdit && <AddBookButton />}>
      <Filters filter={filter} change={change} />
      {error ? (
        <LoadFailure error={error} retry={refetch} />
      ) : data === undefined ? (
        <Loading />
      ) : data.books.length === 0 ? (
        <NothingFound
          hasFilter={query.size > 0}
          noMatch={t.books.noMatch}
          empty={t.books.empty}
          clear={clear}
        />
      ) : (
        <Stack aria-busy={isPlaceholderData}>
          <SelectableBooks key={query.toString()} books={data.books} canEdit={canEdit} />
          <Pages pagination={data.pagination} count={t.books.count(data.pagination.total)} change={change} />
        </Stack>
      )}
    </PermittedPage>
  );
}

function Filters({ filter, change }: { filter: BookFilter; change(values: Record<string, string>): void }) {
  const { t, nameLanguage } = useTexts(booksMessages);
  const { data } = useQuery(languagesQuery);
  const languages = data?.languages.map((each) => ({ value: each.code, label: nameLanguage(each) })) ?? [];
  return (
    <Group align="end" role="search">
      <FilterText
        type="search"
        label={t.books.search}
        placeholder={t.books.searchHint}
        value={filter.search}
        change={(search) => change({ search })}
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
