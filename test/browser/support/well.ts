/** The page of the well. */
import type { Open } from "../fixtures.ts";
import type { WellScene } from "./scenes.ts";

/** @returns the page, and what the API says of that book */
export async function openWell({ admin, well }: Pick<WellScene, "admin" | "well">, open: Open) {
  const client = await admin();
  const path = `/api/admin/books/${well.id}`;
  const page = await open(`books/${well.id}`);
  return { page, client, path, read: async () => (await client.get(path)).body };
}
