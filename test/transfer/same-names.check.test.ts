/** Files of one name in two folders: two books if their metadata says so, in an import and in its plan. */
import { expect, it } from "vitest";
import { createTitledEpub, writeFiles } from "../support/book-files.ts";
import { startImports } from "../support/import-scene.ts";
import { type Files, runImport } from "../support/library-runs.ts";
import { createMetadataReader } from "../support/metadata-reader.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const reader = createMetadataReader();
const by = (author: string, more = "") => `<dc:creator>${author}</dc:creator>${more}`;
const isbn = (text: string) => `<dc:identifier>${text}</dc:identifier>`;
const epub = (title: string, more: string, code = "en") => createTitledEpub(title, code, more);

async function importFolder(files: Files) {
  const imports = await startImports();
  const folder = createTempFolder();
  writeFiles(folder, files);
  const planned = await imports.plan(files);
  const report = await runImport(imports.app, folder, { reader });
  const again = await runImport(imports.app, folder, { reader });
  const ofPlan = planned.books.map(({ slug, files }) => [slug, ...files.map(({ path }) => path)]);
  const ofCommand = report.plans.map(({ wanted: { slug, files } }) => [
    slug,
    ...files.map(({ file }) => file.place),
  ]);
  expect(ofPlan).toEqual(ofCommand);
  const failures = report.failures.map(({ subject }) => subject);
  expect(planned.leftOut.map(({ path }) => path)).toEqual(failures);
  expect(again.plans.filter(({ item, newFiles }) => item || newFiles.length > 0)).toEqual([]);
  return { books: ofCommand, failures };
}

it.each([
  ["titles", () => [epub("The Well", by("Ana")), epub("The Hill", by("Ana"))]],
  ["authors", () => [epub("The Well", by("Ana")), epub("The Well", by("Ben"))]],
  ["ISBNs", () => [epub("The Well", isbn("9783161484100")), epub("The Well", isbn("9780306406157"))]],
  ["authors in two languages", () => [epub("The Well", by("Ana")), epub("La colina", by("Ben"), "es")]],
])("are two books with different %s", async (_, create) => {
  const [one = "", other = ""] = await Promise.all(create());
  expect(await importFolder({ "a/story.epub": one, "other/b/story.epub": other })).toEqual({
    books: [
      ["other-b-story", "other/b/story.epub"],
      ["story", "a/story.epub"],
    ],
    failures: [],
  });
});

it.each([
  [
    "the same metadata",
    "story.epub",
    () => [epub("The Well", by("Ana")), epub("the  WELL", by("Ana", by("Ben")))],
  ],
  ["no metadata", "story.en.txt", () => ["One text.", "Another text."]],
  [
    "one author in two languages",
    "story.epub",
    () => [epub("The Well", by("Ana")), epub("El pozo", by("Ana"), "es")],
  ],
])("are one book with %s, and the second is named", async (_, name, create) => {
  const [one = "", other = ""] = await Promise.all(create());
  const { books, failures } = await importFolder({ [`a/${name}`]: one, [`other/${name}`]: other });
  expect(books).toEqual([["story", `a/${name}`]]);
  expect(failures).toEqual([`other/${name}`]);
});

it("are two books in two folders of one language", async () => {
  const files = {
    "en/story.epub": await epub("The Well", by("Ana")),
    "English/story.epub": await epub("The Hill", by("Ana")),
  };
  expect(await importFolder(files)).toEqual({
    books: [
      ["english-story", "English/story.epub"],
      ["story", "en/story.epub"],
    ],
    failures: [],
  });
});

it("are one book in folders of two languages", async () => {
  const files = {
    "en/story.epub": await epub("The Well", by("Ana")),
    "es/story.epub": await epub("El pozo", by("Ben"), "es"),
  };
  expect(await importFolder(files)).toEqual({
    books: [["story", "en/story.epub", "es/story.epub"]],
    failures: [],
  });
});

it.each([
  [
    "behind the end of a slug",
    "Report of the Ministry of Education and Culture on the State of Schools in the Northern Region 2019",
    "Report of the Ministry of Education and Culture on the State of Schools in the Northern Region 2020",
  ],
  ["in signs that slugs drop", "C++", "C#"],
])("are two books with names that differ %s", async (_, one, other) => {
  const files = { [`${one}.en.txt`]: "One text.", [`${other}.en.txt`]: "Another text." };
  const { books, failures } = await importFolder(files);
  expect(failures).toEqual([]);
  expect(books.flatMap(([, ...places]) => places).sort()).toEqual(Object.keys(files).sort());
});
