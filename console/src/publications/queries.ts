/** What the page of publications reads and saves. */
import { queryOptions } from "@tanstack/react-query";
import { api, complete, Problem, receive } from "../api/client.ts";
import type { Change, Grid } from "./changes.ts";

/** The most rows of one response. */
const PAGE_SIZE = 5000;

/** All books of a language on all channels: filters and Ctrl+A are about all of them. */
export const gridQuery = (languageCode: string) =>
  queryOptions({
    queryKey: ["publications", languageCode],
    async queryFn(): Promise<Grid> {
      const { channels, books, pagination } = await readPage(languageCode, 1);
      for (let page = 2; page <= pagination.totalPages; page++)
        books.push(...(await readPage(languageCode, page)).books);
      return { channels, books };
    },
  });

async function readPage(languageCode: string, page: number) {
  const query = { languageCode, fields: "published" as const, page, limit: PAGE_SIZE };
  const grid = await receive(api.GET("/api/admin/channels/matrix", { params: { query } }));
  // Only without `fields`, the body is another.
  if (!("pagination" in grid)) throw new Problem(0, {});
  return grid;
}

export const savePublications = (languageCode: string, changes: readonly Change[]) =>
  complete(
    api.PUT("/api/admin/channels/publications", {
      body: { changes: changes.map((change) => ({ ...change, languageCode })) },
    }),
  );
