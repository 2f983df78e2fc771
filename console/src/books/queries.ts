/** What the pages of books read and change. */
import {
  keepPreviousData,
  queryOptions,
  skipToken,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { api, ifMatch, longWork, Problem, receive, type Schemas } from "../api/client.ts";
import { exportPath, PAGE_SIZE } from "../api/list-request.ts";
import { sendForm } from "../api/send-form.ts";
import { findShownZone } from "../messages/zones.ts";
import { type BookFilter, writeRequest } from "./book-filter.ts";

/** What an action takes at most. */
export const MAX_SELECTED = 1000;

export const bookListQuery = (filter: BookFilter) =>
  queryOptions({
    queryKey: ["books", "list", filter],
    queryFn: () => readBooks(filter, { page: filter.page, limit: PAGE_SIZE }),
    placeholderData: keepPreviousData,
  });

export const readBooks = (filter: BookFilter, part: { page: number; limit: number }) =>
  receive(
    api.GET("/api/admin/books", { params: { query: { ...writeRequest(filter, findShownZone()), ...part } } }),
  );

/** The address of a file with all books of a list. */
export function bookExportPath(filter: BookFilter): string {
  const timezone = findShownZone();
  return exportPath("/api/admin/books/export", { ...writeRequest(filter, timezone), timezone });
}

const LARGEST_PAGE = 200;

/** All books of a list, as far as an action takes them. */
export async function readWholeList(filter: BookFilter): Promise<Schemas["AdminBook"][]> {
  const books: Schemas["AdminBook"][] = [];
  for (let page = 1; books.length < MAX_SELECTED; page += 1) {
    const part = await readBooks(filter, { page, limit: LARGEST_PAGE });
    books.push(...part.books);
    if (page >= part.pagination.totalPages) break;
  }
  return books.slice(0, MAX_SELECTED);
}

/** The first books that words find. */
export const searchBooks = (search: string) =>
  receive(api.GET("/api/admin/books", { params: { query: { search, status: "all", limit: 20 } } }));

/** The same as a query; none for no words. */
export const findBooks = (search: string) =>
  queryOptions({
    queryKey: ["books", "found", search],
    queryFn: search === "" ? skipToken : () => searchBooks(search),
    placeholderData: keepPreviousData,
  });

export const bookQuery = (bookId: string) =>
  queryOptions({
    queryKey: ["books", "one", bookId],
    queryFn: () => readBook(bookId),
  });

export async function readBook(bookId: string) {
  const details = await receive(api.GET("/api/admin/books/{bookId}", { params: { path: { bookId } } }));
  // Only `preview=delete` has another body.
  if (!("book" in details)) throw new Problem(0, {});
  return details;
}

/** What a permanent deletion would remove. */
export const impactQuery = (bookId: string) =>
  queryOptions({
    queryKey: ["books", "impact", bookId],
    staleTime: 0,
    async queryFn() {
      const params = { path: { bookId }, query: { preview: "delete" as const } };
      const found = await receive(api.GET("/api/admin/books/{bookId}", { params }));
      if (!("impact" in found)) throw new Problem(0, {});
      return found.impact;
    },
  });

/** A change of books: afterwards everything about books is read again, also if it was made for another state. */
export function useBookChange<Input, Result>(change: (input: Input) => Promise<Result>) {
  const queries = useQueryClient();
  const readAgain = () => queries.invalidateQueries({ queryKey: ["books"] });
  return useMutation({
    mutationFn: change,
    onSuccess: readAgain,
    onError(error) {
      if (error instanceof Problem && error.status === 412) void readAgain();
    },
  });
}

export const createBook = (body: Schemas["BookCreation"]) => receive(api.POST("/api/admin/books", { body }));

/** @param version the only one that is changed; undefined: any */
export const updateBook = (bookId: string, body: Schemas["BookUpdate"], version?: string) =>
  receive(
    api.PATCH("/api/admin/books/{bookId}", {
      params: { path: { bookId }, header: ifMatch(version) },
      body,
    }),
  );

export const archiveBook = (bookId: string) =>
  receive(api.DELETE("/api/admin/books/{bookId}", { params: { path: { bookId } } }));

export const deleteBook = (bookId: string) =>
  receive(
    api.DELETE("/api/admin/books/{bookId}", { params: { path: { bookId }, query: { permanent: true } } }),
  );

export const restoreBook = (bookId: string) =>
  receive(api.POST("/api/admin/books/{bookId}/restore", { params: { path: { bookId } } }));

/** @returns the books that were moved, with their former places */
export const moveBooks = async (moves: Schemas["BookMove"][]) =>
  (await receive(api.PATCH("/api/admin/books/reorder", { body: { moves } }))).books;

export const runBookAction = (body: Schemas["BookActionRequest"]) =>
  receive(api.POST("/api/admin/books/actions", { body, ...longWork }));

/** @param version the only one that is changed; undefined: a new translation */
export const putTranslation = (
  bookId: string,
  body: Schemas["TranslationRequest"],
  version: string | undefined,
) =>
  receive(
    api.POST("/api/admin/books/{bookId}/translations", {
      params: { path: { bookId }, header: ifMatch(version) },
      body,
    }),
  );

/** Only in the version that is seen. */
export const removeTranslation = (bookId: string, { languageId, version }: Schemas["Translation"]) =>
  receive(
    api.DELETE("/api/admin/books/{bookId}/translations/{languageId}", {
      params: { path: { bookId, languageId }, header: ifMatch(version) },
    }),
  );

/** @param file in the only version that is changed */
export const updateFile = (
  bookId: string,
  { id, version }: Schemas["BookFile"],
  body: Schemas["FileUpdate"],
) =>
  receive(
    api.PATCH("/api/admin/books/{bookId}/files/{fileId}", {
      params: { path: { bookId, fileId: id }, header: ifMatch(version) },
      body,
    }),
  );

export const removeFile = (bookId: string, fileId: string) =>
  receive(api.DELETE("/api/admin/books/{bookId}/files/{fileId}", { params: { path: { bookId, fileId } } }));

const pathOf = (bookId: string) => `/api/admin/books/${encodeURIComponent(bookId)}`;

export const filePath = (bookId: string, fileId: string) =>
  `${pathOf(bookId)}/files/${encodeURIComponent(fileId)}`;

/** @param languageCode `default` for the cover without a language */
export const coverPath = (bookId: string, languageCode: string) =>
  `${pathOf(bookId)}/covers/${encodeURIComponent(languageCode)}`;

type Report = (part: number) => void;

interface NewFile {
  bookId: string;
  languageCode: string;
  /** Undefined: recognised from the content. */
  fileType: string | undefined;
  file: File;
}

/** Sends a file of a book. @param report gets the part that was sent, 0 to 1 */
export function sendFile({ bookId, languageCode, fileType, file }: NewFile, report: Report) {
  const form = new FormData();
  form.set("languageCode", languageCode);
  if (fileType !== undefined) form.set("fileType", fileType);
  form.set("file", file);
  return sendForm("POST", `${pathOf(bookId)}/files`, form, report);
}

/** Its id, its count of downloads and its links stay. @throws Problem with 412 if it isn't in that version any more */
export function replaceFile(
  bookId: string,
  { id, version }: Pick<Schemas["BookFile"], "id" | "version">,
  file: File,
  report: Report,
) {
  const form = new FormData();
  form.set("file", file);
  return sendForm("PUT", filePath(bookId, id), form, report, version);
}

export function sendCover(bookId: string, languageCode: string, file: File) {
  const form = new FormData();
  form.set("file", file);
  return sendForm("PUT", coverPath(bookId, languageCode), form, () => undefined);
}

export const removeCover = (bookId: string, languageCode: string) =>
  receive(
    api.DELETE("/api/admin/books/{bookId}/covers/{languageCode}", {
      params: { path: { bookId, languageCode } },
    }),
  );

export const setPublication = (body: Schemas["PublicationToggle"]) =>
  receive(api.POST("/api/admin/channels/publications/toggle", { body }));

export const previewQuery = (bookId: string, languageCode: string) =>
  queryOptions({
    queryKey: ["books", "preview", bookId, languageCode],
    queryFn: () =>
      receive(
        api.GET("/api/admin/books/{bookId}/preview", {
          params: { path: { bookId }, query: { languageCode } },
        }),
      ),
  });
