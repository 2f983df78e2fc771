/** What the pages of books read and change. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, Problem, receive, type Schemas } from "../api/client.ts";
import { sendForm } from "../api/send-form.ts";

export interface BookFilter {
  search: string;
  status: "active" | "archived" | "all";
  languageCode: string;
  sort: (typeof SORTS)[number];
  page: number;
}

/** A minus before a field: the greatest first. */
export const SORTS = ["sortOrder", "title", "-updatedAt", "-createdAt", "-downloads"] as const;

export const PAGE_SIZE = 50;

export const bookListQuery = ({ page, ...filter }: BookFilter) =>
  queryOptions({
    queryKey: ["books", "list", { ...filter, page }],
    queryFn: () =>
      receive(
        api.GET("/api/admin/books", {
          params: { query: { ...filter, page, limit: PAGE_SIZE } },
        }),
      ),
    placeholderData: (former) => former,
  });

export const bookQuery = (bookId: string) =>
  queryOptions({
    queryKey: ["books", "one", bookId],
    async queryFn() {
      const details = await receive(api.GET("/api/admin/books/{bookId}", { params: { path: { bookId } } }));
      // Only `preview=delete` has another body.
      if (!("book" in details)) throw new Problem(0, {});
      return details;
    },
  });

/** A change of books: afterwards everything about books is read again. */
export function useBookChange<Input, Result>(change: (input: Input) => Promise<Result>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: ["books"] }),
  });
}

export const createBook = (body: Schemas["BookCreation"]) => receive(api.POST("/api/admin/books", { body }));

export const updateBook = (bookId: string, body: Schemas["BookUpdate"]) =>
  receive(api.PATCH("/api/admin/books/{bookId}", { params: { path: { bookId } }, body }));

export const archiveBook = (bookId: string) =>
  receive(api.DELETE("/api/admin/books/{bookId}", { params: { path: { bookId } } }));

export const deleteBook = (bookId: string) =>
  receive(
    api.DELETE("/api/admin/books/{bookId}", { params: { path: { bookId }, query: { permanent: true } } }),
  );

export const restoreBook = (bookId: string) =>
  receive(api.POST("/api/admin/books/{bookId}/restore", { params: { path: { bookId } } }));

export const runBookAction = (body: Schemas["BookActionRequest"]) =>
  receive(api.POST("/api/admin/books/actions", { body }));

/** Gives the changed books of an action the state back that they had before. One after the other: they are at most a page. */
export async function restoreBefore(results: Schemas["BookActionResponse"]["results"]): Promise<void> {
  const changed = results.flatMap(({ bookId, status, before }) =>
    status === "changed" && before ? [{ bookId, before }] : [],
  );
  for (const type of ["archive", "restore"] as const) {
    const wasActive = type === "restore" ? 1 : 0;
    const bookIds = changed.flatMap(({ bookId, before }) => (before.isActive === wasActive ? [bookId] : []));
    if (bookIds.length > 0) await runBookAction({ bookIds, action: { type } });
  }
  for (const { bookId, before } of changed) if (before.tags) await updateBook(bookId, { tags: before.tags });
}

export const putTranslation = (bookId: string, body: Schemas["TranslationRequest"]) =>
  receive(api.POST("/api/admin/books/{bookId}/translations", { params: { path: { bookId } }, body }));

export const removeFile = (bookId: string, fileId: string) =>
  receive(api.DELETE("/api/admin/books/{bookId}/files/{fileId}", { params: { path: { bookId, fileId } } }));

/** Sends a file of a book. @param report gets the part that was sent, 0 to 1 */
export function sendFile(bookId: string, languageCode: string, file: File, report: (part: number) => void) {
  const form = new FormData();
  form.set("languageCode", languageCode);
  form.set("file", file);
  return sendForm("POST", `/api/admin/books/${encodeURIComponent(bookId)}/files`, form, report);
}

/** @param languageCode `default` for the cover without a language */
export function sendCover(bookId: string, languageCode: string, file: File) {
  const form = new FormData();
  form.set("file", file);
  const path = `/api/admin/books/${encodeURIComponent(bookId)}/covers/${encodeURIComponent(languageCode)}`;
  return sendForm("PUT", path, form, () => undefined);
}
