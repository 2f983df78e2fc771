/** The books before and after one in the list from which it was opened. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type BookFilter, readFilter } from "./book-filter.ts";
import { bookListQuery } from "./queries.ts";

/** A book, and the address of the list with the page on which it is. */
interface Neighbour {
  id: string;
  list: string;
}

export interface Neighbours {
  previous: Neighbour | undefined;
  next: Neighbour | undefined;
}

const NONE: Neighbours = { previous: undefined, next: undefined };

/** @param list the query of the list's address; undefined: the book wasn't opened from a list */
export function useNeighbours(bookId: string, list: string | undefined): Neighbours {
  const filter = readFilter(new URLSearchParams(list));
  const { data } = useQuery({
    ...bookListQuery(filter),
    enabled: list !== undefined,
    placeholderData: undefined,
  });
  const index = data?.books.findIndex(({ id }) => id === bookId) ?? -1;
  const isFirst = index === 0 && filter.page > 1;
  const isLast =
    data !== undefined && index === data.books.length - 1 && filter.page < data.pagination.totalPages;
  const before = usePage({ ...filter, page: filter.page - 1 }, isFirst)?.at(-1);
  const after = usePage({ ...filter, page: filter.page + 1 }, isLast)?.[0];
  // A book that leaves the list by what is changed in it keeps its neighbours while it is shown.
  const [last, setLast] = useState({ bookId, neighbours: NONE });
  if (list === undefined) return NONE;
  if (index < 0) return last.bookId === bookId ? last.neighbours : NONE;
  const place = (id: string | undefined, page: number) => id && { id, list: withPage(list, page) };
  const neighbours = {
    previous:
      place(isFirst ? before?.id : data?.books[index - 1]?.id, filter.page - Number(isFirst)) || undefined,
    next: place(isLast ? after?.id : data?.books[index + 1]?.id, filter.page + Number(isLast)) || undefined,
  };
  if (last.bookId !== bookId || JSON.stringify(last.neighbours) !== JSON.stringify(neighbours))
    setLast({ bookId, neighbours });
  return neighbours;
}

function usePage(filter: BookFilter, enabled: boolean) {
  return useQuery({ ...bookListQuery(filter), enabled, placeholderData: undefined }).data?.books;
}

/** The same list on another page. */
function withPage(list: string, page: number): string {
  const query = new URLSearchParams(list);
  if (page > 1) query.set("page", String(page));
  else query.delete("page");
  return query.size > 0 ? `?${query}` : "";
}
