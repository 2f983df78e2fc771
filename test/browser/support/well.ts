/** The page of the well. */
import type { Open } from "../fixtures.ts";
import type { WellScene } from "./scenes.ts";

type Scene = Pick<WellScene, "admin" | "well">;

/** For tests that change the book before they open its page. @returns that path, and what the API says of the book */
export async function findWell({ admin, well }: Scene) {
  const client = await admin();
  const path = `/api/admin/books/${well.id}`;
  return { client, path, page: `books/${well.id}`, read: async () => (await client.get(path)).body };
}

/** @returns the page, and what the API says of the book */
export async function openWell(scene: Scene, open: Open) {
  const well = await findWell(scene);
  return { ...well, page: await open(well.page) };
}
