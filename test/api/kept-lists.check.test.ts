/** Which kept lists a change of the catalogue renews: those of the languages in which readers can see it. */
import { expect, it } from "vitest";
import { startWithAdmin, type TestApp } from "../support/app.ts";
import { createPicture } from "../support/covers.ts";

const CODES = ["de", "en", "es", "es-MX", "fr"];
const EVERY = [...CODES, "all"];

/** Spanish has a sub-language. The first book is in English and Spanish, the second one in English, the third one in French. */
async function scene() {
  const { app, client: admin } = await startWithAdmin();
  const ids = new Map<string, number>();
  for (const code of CODES) {
    const parentId = code === "es-MX" ? ids.get("es") : null;
    ids.set(code, (await app.make.language(code, { parentId })).id);
  }
  const [first, second, third] = [
    await app.make.published("First", "en"),
    await app.make.published("Second", "en"),
    await app.make.published("Third", "fr"),
  ];
  const spanish = await app.make.textFile(first.book.id, "es", "El primero");
  const channel = await app.make.channel("Web");
  await app.make.published("Fourth", "de");
  const book = `/api/admin/books/${first.book.id}`;
  return { ...app, admin, ids, first, second, third, spanish, channel, book };
}
type Scene = Awaited<ReturnType<typeof scene>>;

async function lists({ container }: Pick<TestApp, "container">) {
  const { publicCatalogue } = container.services;
  const listOf = (languageCode?: string) => publicCatalogue.list({ languageCode, page: 1, limit: 50 }, "");
  const kept = await Promise.all(CODES.map(async (code) => [code, await listOf(code)] as const));
  return [...kept, ["all", await listOf()] as const];
}

/** @returns the languages whose lists were composed again */
async function renewedBy(app: Scene, change: (app: Scene) => Promise<unknown>): Promise<string[]> {
  const before = await lists(app);
  await change(app);
  const after = new Map(await lists(app));
  return before.filter(([code, list]) => after.get(code) !== list).map(([code]) => code);
}

const json = async (response: Promise<{ status: number }>) =>
  expect((await response).status).toBeLessThan(300);

const publishIn = ({ admin, channel }: Scene, languageCode: string, ...books: Scene["first"][]) => {
  const place = { channelId: channel.id, languageCode, isPublished: true };
  const changes = books.map(({ book }) => ({ ...place, bookId: book.id }));
  return json(admin.put("/api/admin/channels/publications", { changes }));
};

const CHANGES: readonly [
  what: string,
  renewed: readonly string[],
  change: (app: Scene) => Promise<unknown>,
][] = [
  ["nothing", [], async () => {}],
  [
    "a translation",
    ["es", "es-MX", "all"],
    ({ admin, book }) =>
      json(admin.post(`${book}/translations`, { languageCode: "es", title: "El primero" })),
  ],
  [
    "a translation of a sub-language",
    ["es-MX", "all"],
    ({ admin, book }) => json(admin.post(`${book}/translations`, { languageCode: "es-MX", title: "Uno" })),
  ],
  [
    "the first file in a language: the book has another language in all its lists",
    ["en", "es", "es-MX", "fr", "all"],
    ({ make, first }) => make.textFile(first.book.id, "fr", "Le premier"),
  ],
  [
    "the content of a file",
    ["en", "all"],
    ({ admin, first, book }) =>
      json(
        admin.upload("put", `${book}/files/${first.file.id}`, {
          file: { bytes: Buffer.from("Another text"), name: "book.txt" },
        }),
      ),
  ],
  [
    "an inactive file",
    ["en", "es", "es-MX", "all"],
    ({ admin, spanish, book }) => json(admin.patch(`${book}/files/${spanish.id}`, { isActive: 0 })),
  ],
  [
    "a file that is in another language now",
    ["de", "en", "es", "es-MX", "all"],
    ({ admin, spanish, book }) => json(admin.patch(`${book}/files/${spanish.id}`, { languageCode: "de" })),
  ],
  [
    "a deleted file",
    ["en", "es", "es-MX", "all"],
    ({ admin, spanish, book }) => json(admin.delete(`${book}/files/${spanish.id}`)),
  ],
  [
    "a field of a book",
    ["en", "es", "es-MX", "all"],
    ({ admin, book }) => json(admin.put(book, { description: "About it" })),
  ],
  ["a new book", ["all"], ({ make }) => make.book("Fifth")],
  [
    "an archived book",
    ["fr", "all"],
    ({ admin, third }) => json(admin.delete(`/api/admin/books/${third.book.id}`)),
  ],
  [
    "a restored book",
    ["fr", "all"],
    async ({ admin, third, ...app }) => {
      await json(admin.delete(`/api/admin/books/${third.book.id}`));
      await lists(app);
      await json(admin.post(`/api/admin/books/${third.book.id}/restore`));
    },
  ],
  [
    "a publication on a channel",
    ["en", "es", "es-MX", "all"],
    ({ make, first, channel, ids }) => make.publish(first.book.id, channel.id, ids.get("en") ?? 0),
  ],
  [
    "publications of a book in one language, which the lists of its channel show in all",
    ["en", "es", "es-MX", "all"],
    (app) => publishIn(app, "es", app.first),
  ],
  [
    "publications of several books in one language",
    EVERY,
    (app) => publishIn(app, "en", app.first, app.second),
  ],
  [
    "a bulk request",
    ["en", "es", "es-MX", "all"],
    ({ admin, first }) => {
      const translations = [{ languageCode: "es", title: "Primero" }];
      return json(
        admin.post("/api/admin/books/bulk", {
          books: [{ slug: first.book.slug, titleEn: "First", translations }],
        }),
      );
    },
  ],
  [
    "the default cover, whose path is a field of the book",
    ["en", "es", "es-MX", "all"],
    async ({ admin, book }) => json(admin.call("put", `${book}/covers/default`, await cover())),
  ],
  [
    "the cover of a language, which no list contains",
    ["all"],
    async ({ admin, book }) => json(admin.call("put", `${book}/covers/es`, await cover())),
  ],
  [
    "a deleted book",
    EVERY,
    ({ admin, third }) => json(admin.delete(`/api/admin/books/${third.book.id}?permanent=true`)),
  ],
  [
    "the order",
    EVERY,
    ({ admin, first }) =>
      json(admin.patch("/api/admin/books/reorder", { moves: [{ bookId: first.book.id, sortOrder: 9 }] })),
  ],
  [
    "a language",
    EVERY,
    ({ admin, ids }) => json(admin.put(`/api/admin/languages/${ids.get("fr")}`, { name: "French" })),
  ],
  [
    "an override of a sub-language",
    EVERY,
    ({ make, first, ids }) => make.override(ids.get("es-MX") ?? 0, first.book.id, false),
  ],
  [
    "a channel",
    EVERY,
    ({ admin, channel }) => json(admin.put(`/api/admin/channels/${channel.id}`, { isActive: 0 })),
  ],
];

const cover = async () => ({ body: await createPicture("red"), headers: { "Content-Type": "image/jpeg" } });

it.each(CHANGES)(
  "a change renews the kept lists of the languages that it reaches, and no others: %s",
  async (_, renewed, change) => {
    expect(await renewedBy(await scene(), change)).toEqual(renewed);
  },
);

it("renews all kept lists after a change by an older version of the service, which knows no versions of languages", async () => {
  const app = await scene();
  const raise = ({ container: { database } }: Scene) =>
    database.commit(() =>
      database.writer
        .updateTable("catalogue_version")
        .set((eb) => ({ version: eb("version", "+", 1) }))
        .execute(),
    );
  expect(await renewedBy(app, raise)).toEqual(EVERY);
});
