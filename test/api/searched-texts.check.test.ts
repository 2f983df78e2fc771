/** Searches after random changes find the books that the rule says, by the texts of the books and translations themselves. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { createSearchText, searchWords } from "../../src/lib/text.ts";
import { readBookCredits, readCredits } from "../../src/services/shared/credits.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { bodyOf, type Client } from "../support/client.ts";

const BOOKS = "/api/admin/books";
const CODES = ["es", "ar", "tr"];
const CHANGES = 40;
const RUNS = Number(process.env.WALKS ?? 2);
const SEED = Number(process.env.WALK_SEED ?? 1);

/** Few words, so that they meet in different texts; some are parts of others, and some have signs of LIKE. */
const word = fc.constantFrom("a", "ab", "ba", "Öl", "100%", "a_b", "ß", "600-11", "60011", "\\", "البئر");
const words = (min: number, max: number) =>
  fc.array(word, { minLength: min, maxLength: max }).map((list) => list.join(" "));
const texts = fc.record({
  title: words(1, 3),
  description: words(0, 6),
  authors: fc.array(words(1, 2), { maxLength: 2 }),
});
const change = fc.record({
  kind: fc.constantFrom(
    "add",
    "add",
    "bulk",
    "update",
    "translate",
    "translate",
    "translate",
    "untranslate",
    "tag",
    "delete",
    "language",
  ),
  which: fc.nat(),
  code: fc.constantFrom(...CODES),
  texts,
});
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never;

interface Scene {
  app: TestApp;
  admin: Client;
  bookIds: string[];
}

async function carryOut(
  { app, admin, bookIds }: Scene,
  { kind, which, code, texts }: Change,
): Promise<unknown> {
  const { title, ...others } = texts;
  const id = bookIds[which % bookIds.length] ?? "";
  const translations = [{ languageCode: code, ...texts }];
  if (kind === "add" || bookIds.length === 0) {
    const { id } = await app.make.book(title, { ...others, translations });
    return bookIds.push(id);
  }
  if (kind === "bulk") {
    const book = await bodyOf(admin.get(`${BOOKS}/${id}`));
    return bodyOf(
      admin.post(`${BOOKS}/bulk`, { books: [{ slug: book.slug, titleEn: title, translations }] }),
    );
  }
  if (kind === "update") return bodyOf(admin.patch(`${BOOKS}/${id}`, { titleEn: title, ...others }));
  if (kind === "translate")
    return admin.post(`${BOOKS}/${id}/translations`, { languageCode: code, ...texts });
  const languages = await bodyOf(admin.get("/api/admin/languages"));
  const language = languages.languages.find((each: { code: string }) => each.code === code);
  if (kind === "untranslate") return admin.delete(`${BOOKS}/${id}/translations/${language.id}`);
  if (kind === "tag")
    return bodyOf(
      admin.post(`${BOOKS}/actions`, { bookIds: [id], action: { type: "addTags", tags: [title] } }),
    );
  if (kind === "delete") {
    bookIds.splice(which % bookIds.length, 1);
    await bodyOf(admin.delete(`${BOOKS}/${id}`));
    return bodyOf(admin.delete(`${BOOKS}/${id}?permanent=true`));
  }
  await bodyOf(admin.delete(`/api/admin/languages/${language.id}?mode=preserve_analytics`));
  return app.make.language(code);
}

/** Each word in the book's own texts or in one of its translations. */
async function findByRule({ container }: TestApp, search: string): Promise<string[]> {
  const { read } = container.database;
  const books = await read.selectFrom("books").selectAll().execute();
  const translations = await read.selectFrom("translations").selectAll().execute();
  const searched = (searchWords(search) ?? []).map((patterns) =>
    patterns.map((pattern) => pattern.slice(1, -1).replace(/\\(.)/g, "$1")),
  );
  const matching = books.filter((book) => {
    const { authors, tags, series } = readBookCredits(book);
    const own = [book.titleEn, book.description, book.slug, ...authors, ...tags, series?.name ?? ""];
    const all = [own, ...translations.filter(({ bookId }) => bookId === book.id).map(textsOf)].map(
      createSearchText,
    );
    return searched.every((patterns) => all.some((text) => patterns.some((each) => text.includes(each))));
  });
  return matching.map(({ id }) => id).sort();
}

const textsOf = (row: Parameters<typeof readCredits>[0] & { title: string; description: string | null }) => [
  row.title,
  row.description ?? "",
  ...readCredits(row).authors,
];

async function find(client: Client, search: string): Promise<string[]> {
  const { books } = await bodyOf(client.get(`${BOOKS}?${new URLSearchParams({ search, limit: "200" })}`));
  return books.map(({ id }: { id: string }) => id).sort();
}

it(
  "finds each book whose own texts or translations have every word, after any changes",
  async () => {
    const step = fc.tuple(change, fc.array(words(1, 2), { minLength: 3, maxLength: 3 }));
    const walk = fc.array(step, { minLength: CHANGES, maxLength: CHANGES });
    const follow = async (steps: readonly (readonly [Change, readonly string[]])[]) => {
      const app = await startApp();
      for (const code of CODES) await app.make.language(code);
      const scene: Scene = { app, admin: await app.admin(), bookIds: [] };
      for (const [each, searches] of steps) {
        await carryOut(scene, each);
        for (const search of searches)
          expect(await find(scene.admin, search), search).toEqual(await findByRule(app, search));
      }
    };
    await fc.assert(fc.asyncProperty(walk, follow), { numRuns: RUNS, seed: SEED, endOnFailure: true });
  },
  120_000 + RUNS * 10_000,
);
