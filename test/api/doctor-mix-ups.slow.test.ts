/** What the doctor says of files in a wrong place, and of books that are there twice. */
import { expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { createTitledEpub } from "../support/book-files.ts";

interface Found {
  check: string;
  message: string;
  severity: string;
  object: { kind: string; id: string; name: string };
}

async function examine({ admin }: TestApp): Promise<Found[]> {
  const client = await admin();
  const { body } = await client.get("/api/admin/doctor");
  const { findings } = body;
  const checks = ["misplaced_file", "similar_books", "equal_files"];
  return findings.filter(({ check }: Found) => checks.includes(check));
}

async function upload(app: TestApp, bookId: string, languageCode: string, bytes: Buffer) {
  const client = await app.admin();
  const { body } = await client.upload("post", `/api/admin/books/${bookId}/files`, {
    fields: { languageCode },
    file: { bytes, name: "x.epub" },
  });
  await app.container.services.contentRecords.read(body.sha256, 60_000);
  return body;
}

it("files that say another language or title are named, without reading them", async () => {
  const app = await startApp();
  for (const code of ["ru", "ar"]) await app.make.language(code);
  const titles = [
    { languageCode: "ar", title: "سيمبيغوير" },
    { languageCode: "ru", title: "Симбегвире" },
  ];
  const book = await app.make.book("Simbegwire", { translations: titles });
  const wrong = await upload(app, book.id, "ar", await createTitledEpub("Ананси", "ru"));
  await upload(app, book.id, "ru", await createTitledEpub("Симбегвире", "ru"));
  expect(await examine(app)).toMatchObject([
    {
      check: "misplaced_file",
      severity: "warning",
      object: { kind: "file", id: wrong.id, name: "x.epub" },
      message: `It says the language ru; the title “Ананси”. It is in the book “Simbegwire” (simbegwire, ${book.id}) in ar.`,
    },
  ]);
  const own = await upload(app, book.id, "ar", await createTitledEpub("Симбегвире", "ru"));
  expect(await examine(app)).toMatchObject([
    { object: { id: own.id }, message: expect.stringMatching(/^It says the language ru\. It is in/) },
  ]);
  await (await app.admin()).delete(`/api/admin/books/${book.id}`);
  expect(await examine(app)).toEqual([]);
});

it("files with the title or ISBN of another book are named where their own isn't known", async () => {
  const app = await startApp();
  for (const code of ["es", "ru"]) await app.make.language(code);
  const isbn = "9783161484100";
  await app.make.book("Goat", { translations: [{ languageCode: "es", title: "La cabra", isbn }] });
  const well = await app.make.book("Well");
  await upload(app, well.id, "es", await createTitledEpub("La Cabra", "es"));
  const more = `<dc:identifier>urn:isbn:${isbn}</dc:identifier>`;
  await upload(app, well.id, "ru", await createTitledEpub("Козёл", "ru", more));
  const place = `It is in the book “Well” (well, ${well.id})`;
  expect(await examine(app)).toMatchObject([
    { message: `It says the title “La Cabra”. ${place} in es.` },
    { message: `It says the ISBN ${isbn} of another book. ${place} in ru.` },
  ]);
});

it("books with the same folded title and authors in one language are named with both addresses", async () => {
  const app = await startApp();
  for (const code of ["es", "fr"]) await app.make.language(code);
  const edition = (title: string, authors: string[] = []) => ({
    translations: [{ languageCode: "es", title, authors }],
  });
  const one = await app.make.book("Goat", edition("La Cabra, el Perro", ["Ana Pérez", "Ben"]));
  const other = await app.make.book("Cabra", edition("la cabra, el perro", ["BEN", "Ana Perez"]));
  await app.make.book("Third", edition("La cabra, el perro", ["Carla"]));
  await app.make.book("Fourth", {
    translations: [{ languageCode: "fr", title: "La cabra, el perro", authors: ["Ana Pérez", "Ben"] }],
  });
  const archived = await app.make.book("GOAT");
  const client = await app.admin();
  expect(await examine(app)).toMatchObject([
    { check: "similar_books", object: { id: archived.id }, message: expect.stringMatching(/ in en\.$/) },
    {
      check: "similar_books",
      severity: "warning",
      object: { kind: "book", id: other.id, name: "cabra" },
      message: `“Cabra” (cabra, ${other.id}) has the same title and authors as “Goat” (goat, ${one.id}) in es.`,
    },
  ]);
  await client.delete(`/api/admin/books/${archived.id}`);
  await client.delete(`/api/admin/books/${one.id}`);
  expect(await examine(app)).toEqual([]);
  // Without authors, it can be one of the others: the first of them.
  const unknown = await app.make.book("Fifth", edition("LA  CABRA, el perro"));
  expect(await examine(app)).toMatchObject([
    {
      check: "similar_books",
      object: { id: unknown.id },
      message: expect.stringContaining(`(cabra, ${other.id})`),
    },
  ]);
});

it("equal bytes in two books are named with both addresses", async () => {
  const app = await startApp();
  for (const code of ["es", "en"]) await app.make.language(code);
  const [one, other] = [await app.make.book("One"), await app.make.book("Other")];
  await app.make.textFile(one.id, "es", "The same.", "a.txt");
  await app.make.textFile(one.id, "en", "The same.", "b.txt");
  expect(await examine(app)).toEqual([]);
  const copy = await app.make.textFile(other.id, "en", "The same.", "c.txt");
  expect(await examine(app)).toMatchObject([
    {
      check: "equal_files",
      severity: "warning",
      object: { kind: "file", id: copy.id, name: "c.txt" },
      message: `“Other” (other, ${other.id}) in en has the bytes of a.txt, a file of “One” (one, ${one.id}) in es.`,
    },
  ]);
  await app.make.textFile(other.id, "en", "Another.", "c.txt");
  expect(await examine(app)).toEqual([]);
});
