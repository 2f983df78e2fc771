/** Every book, read back through the interface: as answered last, or as the write under way would leave it. */
import { bookDetails, bookList } from "../../src/schemas/books.schemas.ts";
import { coverList } from "../../src/schemas/covers.schemas.ts";
import { publicBookList } from "../../src/schemas/public.schemas.ts";
import { type BookState, bookState } from "../book-state.ts";
import type { Client } from "../client.ts";
import type { Scene } from "../scene.ts";
import type { Findings } from "./findings.ts";

/** The most that a page holds. */
const PAGE = 200;

/** @returns the hashes that rows name */
export async function checkCatalogue(scene: Scene, admin: Client, findings: Findings): Promise<Set<string>> {
  const listed = await admin.read(`/api/admin/books?limit=${PAGE}`, bookList);
  if (listed.pagination.total > PAGE) throw new Error("The drill makes more books than a page holds");
  const idsBySlug = new Map(listed.books.map(({ slug, id }) => [slug, id]));
  const named = new Set<string>();
  for (const slug of new Set([...scene.books.keys, ...idsBySlug.keys()])) {
    const id = idsBySlug.get(slug);
    const state = id === undefined ? undefined : await readBook(scene, admin, { slug, id }, named);
    findings.compare(`book ${slug}`, scene.books, slug, state);
    if (!state) scene.ids.delete(slug);
  }
  return named;
}

async function readBook(
  scene: Scene,
  admin: Client,
  { slug, id }: { slug: string; id: string },
  named: Set<string>,
): Promise<BookState> {
  const path = `/api/admin/books/${id}`;
  const [details, covers] = await Promise.all([
    admin.read(path, bookDetails),
    admin.read(`${path}/covers`, coverList),
  ]);
  for (const { sha256 } of [...details.files, ...covers.covers]) if (sha256 !== null) named.add(sha256);
  const added = details.files.toSorted((one, other) =>
    `${one.createdAt} ${one.id}` < `${other.createdAt} ${other.id}` ? -1 : 1,
  );
  scene.ids.set(slug, { book: id, files: added.map((file) => file.id) });
  return bookState(details, covers);
}

/** The public list has the active books with an active file, and no others. */
export async function checkPublicList(
  scene: Scene,
  reader: Client,
  languageCode: string,
  findings: Findings,
): Promise<void> {
  const { books } = await reader.read(
    `/api/books?languageCode=${languageCode}&limit=${PAGE}`,
    publicBookList,
  );
  const expected = scene.books.keys.filter((slug) => {
    const book = scene.books.now(slug);
    const isThere = book?.files.some((file) => file.languageCode === languageCode && file.isActive === 1);
    return book?.isActive === 1 && isThere;
  });
  const shown = books.map(({ slug }) => slug).sort();
  if (shown.join() !== expected.sort().join()) {
    findings.lost(`the public list in ${languageCode} has ${shown} in place of ${expected}`);
  }
}
