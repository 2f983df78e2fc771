/** The list of books. Filters and page stand in the address, so that the way back leads to the same list. */
import { Button, Group, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { languagesQuery } from "../languages/queries.ts";
import { PagedList } from "../lists/paged-list.tsx";
import { useTexts } from "../messages/index.tsx";
import { PermittedPage } from "../session/permitted-page.tsx";
import { usePermission } from "../session/session.ts";
import { useNotifyProblem } from "../ui/problems.tsx";
import { type Address, useAddress } from "../ui/use-address.ts";
import { ImportTarget } from "../uploads/import-target.tsx";
import { AddBookButton } from "./add-book.tsx";
import { type BookFilter, needsMissingIn, readFilter } from "./book-filter.ts";
import { BookFilters } from "./book-filters.tsx";
import { BookTable } from "./book-table.tsx";
import { BulkActions } from "./bulk-actions.tsx";
import { bookExportPath, bookListQuery, MAX_SELECTED, readWholeList } from "./queries.ts";
import type { SelectedBooks } from "./undo-books.ts";

export default function BooksPage() {
  const { t } = useTexts("books");
  const canEdit = usePermission("edit_books");
  const address = useAddress();
  const filter = readFilter(address.query);
  return (
    <PermittedPage
      permission="view_books"
      title={t("nav.books")}
      actions={
        <Group gap="xs">
          <Button component="a" href={bookExportPath(filter)} download variant="default" visibleFrom="xs">
            {t("books.export")}
          </Button>
          {canEdit && <AddBookButton />}
        </Group>
      }
    >
      <BookFilters filter={filter} change={address.change} />
      {canEdit ? (
        <ImportTarget>
          <BookList address={address} canEdit />
        </ImportTarget>
      ) : (
        <BookList address={address} canEdit={false} />
      )}
    </PermittedPage>
  );
}

function BookList({ address, canEdit }: { address: Address; canEdit: boolean }) {
  const filter = readFilter(address.query);
  const list = useQuery(bookListQuery(filter));
  const [selected, select] = useSelection(filter);
  const sayLacking = useLacking(filter);
  const canSelectMore = (total: number) => selected.size < Math.min(total, MAX_SELECTED);
  return (
    <PagedList query={list} address={address} rowsOf={({ books }) => books} list="books">
      {(books, { page, total }) => (
        <>
          {sayLacking && <Text>{sayLacking(total)}</Text>}
          {selected.size > 0 && <BulkActions books={selected} clear={() => select(new Map())} />}
          {canSelectMore(total) && books.every(({ id }) => selected.has(id)) && (
            <SelectListButton filter={filter} total={total} select={select} />
          )}
          <BookTable
            key={page}
            books={books}
            selection={canEdit ? { selected, select } : undefined}
            order={
              canEdit && isInOrder(filter)
                ? {
                    filter: { ...filter, page },
                    total,
                    isRefreshing: list.isPlaceholderData,
                    goToPage: (next) => address.change({ page: String(next) }),
                  }
                : undefined
            }
          />
        </>
      )}
    </PagedList>
  );
}

/** A function that says what so many books lack, where the list is of those. */
function useLacking(filter: BookFilter): ((n: number) => string) | undefined {
  const { t, nameLanguage } = useTexts("books");
  const { data } = useQuery(languagesQuery);
  const { missing, missingIn: code } = filter;
  if (missing === "" || needsMissingIn(filter)) return undefined;
  const language =
    code === "" ? undefined : nameLanguage(data?.languages.find((each) => each.code === code) ?? { code });
  const what = missing === "cover" ? "other" : missing;
  return (count) =>
    language === undefined
      ? t("books.lacking", { count, what })
      : t("books.lackingIn", { count, what, language });
}

/** Whether the list has the order of readers, in which archived books have no place. */
const isInOrder = ({ sort, status }: BookFilter): boolean => sort === "sortOrder" && status === "active";

const NOTHING: SelectedBooks = new Map();

/** A selection belongs to one list, and stays from page to page. */
function useSelection(filter: BookFilter) {
  const list = JSON.stringify({ ...filter, page: 1 });
  const [chosen, setChosen] = useState({ list, books: NOTHING });
  const selected = chosen.list === list ? chosen.books : NOTHING;
  return [selected, (books: SelectedBooks) => setChosen({ list, books })] as const;
}

interface SelectListProps {
  filter: BookFilter;
  total: number;
  select(books: SelectedBooks): void;
}

/** Offered once all books of the page are selected. */
function SelectListButton({ filter, total, select }: SelectListProps) {
  const { t } = useTexts("books");
  const notifyProblem = useNotifyProblem();
  const read = useMutation({ mutationFn: () => readWholeList(filter) });
  return (
    <Button
      variant="subtle"
      w="fit-content"
      loading={read.isPending}
      onClick={() =>
        read.mutate(undefined, {
          onSuccess: (books) => select(new Map(books.map(({ id, titleEn }) => [id, titleEn]))),
          onError: notifyProblem,
        })
      }
    >
      {total > MAX_SELECTED
        ? t("bulk.selectFirst", { count: MAX_SELECTED })
        : t("bulk.selectList", { count: total })}
    </Button>
  );
}
