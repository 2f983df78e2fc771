/** Books, read back through the interface. */
import { bookList } from "../../src/schemas/book-list.schemas.ts";
import { bookDetails } from "../../src/schemas/books.schemas.ts";
import { coverList } from "../../src/schemas/covers.schemas.ts";
import type { ServiceClient } from "../lib/service-client.ts";
import { type BookState, createBookState } from "./book-state.ts";

/** The most that a page holds. */
const PAGE = 200;

interface ReadBook {
  id: string;
  state: BookState;
  /** The ids of its files, in the order of their states. */
  files: string[];
  /** Of all bytes that its rows name, also of those that can come back. */
  hashes: string[];
}

/** All books by their slugs, or those that are wanted. */
export async function readBooks(
  client: ServiceClient,
  wanted?: readonly string[],
): Promise<Map<string, ReadBook>> {
  const read = new Map<string, ReadBook>();
  for (let page = 1; ; page += 1) {
    const { books, pagination } = await client.read(`/api/admin/books?limit=${PAGE}&page=${page}`, bookList);
    for (const { slug, id } of books) {
      if (wanted?.includes(slug) ?? true) read.set(slug, await readBook(client, id));
    }
    if (page * PAGE >= pagination.total) return read;
  }
}

async function readBook(client: ServiceClient, id: string): Promise<ReadBook> {
  const path = `/api/admin/books/${id}`;
  const [details, covers] = await Promise.all([
    client.read(path, bookDetails),
    client.read(`${path}/covers`, coverList),
  ]);
  const files = details.files.toSorted((one, other) => (ageOf(one) < ageOf(other) ? -1 : 1));
  return {
    id,
    state: createBookState({ ...details, files }, covers),
    files: files.map((file) => file.id),
    hashes: [...files, ...covers.covers].flatMap(({ sha256, replaced }) => [
      ...(sha256 === null ? [] : [sha256]),
      ...replaced.map((former) => former.sha256),
    ]),
  };
}

/** Ids grow with time too. */
const ageOf = ({ createdAt, id }: { createdAt: string; id: string }): string => `${createdAt} ${id}`;
