/** Languages in a catalogue as people write them: codes, and names in English or in the language itself. */
import { expect, it } from "vitest";
import { silent } from "../../src/operation/progress.ts";
import { EmptyTarget } from "../../src/operation/transfer/empty-target.ts";
import { LibraryImport } from "../../src/operation/transfer/import.ts";
import { readLibrary } from "../../src/operation/transfer/open-source.ts";
import { formatFailures, importTable } from "../../src/operation/transfer/report.ts";
import { describeReport } from "../../src/operation/transfer/reported.ts";
import { writeFiles } from "../support/book-files.ts";
import { createMetadataReader } from "../support/metadata-reader.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { createXlsx, rowOf } from "../support/xlsx.ts";

const reader = createMetadataReader();

/** What a dry run prints of a catalogue beside a file of each language. */
async function dryRun(catalogue: Readonly<Record<string, string | Buffer>>) {
  const folder = createTempFolder();
  writeFiles(folder, { ...catalogue, "1.txt": "Kisima.", "2.txt": "Pozo.", "3.txt": "Well." });
  const source = { folder, catalogue: undefined, grouping: "auto", languageCode: undefined } as const;
  const options = { isDryRun: true, overwrites: false, onlyLanguages: false, languagesCommand: "" };
  const work = new LibraryImport({ target: new EmptyTarget(), reader, progress: silent }, options);
  const report = await work.run((deps) => readLibrary(source, deps));
  return { table: importTable(describeReport(report)), failures: formatFailures(report.failures) };
}

const csvOf = (rows: readonly string[][]): string => rows.map((row) => row.join(",")).join("\n");

const jsonOf = ([, ...rows]: readonly string[][]): string =>
  JSON.stringify({
    books: [
      {
        slug: "well",
        translations: rows.map(([, languageCode, title]) => ({ languageCode, title })),
        localFiles: rows.map(([, languageCode, , path]) => ({ languageCode, path })),
        files: rows.slice(0, 1).map(([, languageCode]) => ({
          languageCode,
          fileName: "well.pdf",
          fileType: "pdf",
          cloudUrl: "https://cloud.example.org/well.pdf",
          sourceType: "url",
        })),
      },
    ],
  });

const sheetRows = (rows: readonly string[][]) =>
  createXlsx({ rows: rows.map((row, index) => rowOf(index + 1, row)).join("") });

const HEADER = ["slug", "language", "title", "file"];
const NAMED = [
  HEADER,
  ["well", "Swahili", "Kisima", "1.txt"],
  ["well", "Español", "El pozo", "2.txt"],
  ["well", "ENGLISH", "The Well", "3.txt"],
];
const MISTAKEN = [HEADER, ["well", "Swahilli", "Kisima", "1.txt"], ["well", "Xyzzyx", "Qul", "2.txt"]];

const KINDS = [
  ["CSV", async (rows: readonly string[][]) => ({ "catalogue.csv": csvOf(rows) })],
  ["XLSX", async (rows: readonly string[][]) => ({ "catalogue.xlsx": await sheetRows(rows) })],
  ["JSON", async (rows: readonly string[][]) => ({ "catalogue.json": jsonOf(rows) })],
] as const;

it.each(KINDS)("names are languages in %s, and the dry run shows their codes", async (_, write) => {
  expect(await dryRun(await write(NAMED))).toEqual({
    failures: [],
    table: [
      "New languages: en (English), es (Spanish), sw (Swahili)",
      "Names that were read as languages: Swahili sw, Español es, ENGLISH en",
      "",
      "create     well  en es sw  3 new files  The Well",
      "",
      "Readers: 1 book becomes public in 3 languages; --archived makes new books that readers don't get.",
      "",
      "",
    ].join("\n"),
  });
});

it.each(KINDS)("a failure asks for the language with the nearest name in %s", async (_, write) => {
  const { table, failures } = await dryRun(await write(MISTAKEN));
  expect(table.trim()).toBe("");
  expect(failures.join("\n")).toMatch(
    /ust be the BCP 47 code of a language, such as en or pt-BR, or its name \(did you mean sw \(Swahili\)\?\)/,
  );
  // None is near.
  expect(failures.join("\n")).toMatch(/or its name(?:;|\.$)/m);
});

it("a wrong language of a row with a cover is one failure", async () => {
  const { failures } = await dryRun({
    "catalogue.csv": "slug,language,title,file,cover\nwell,Swahilli,Kisima,1.txt,1.jpg",
  });
  expect(failures).toEqual([
    "Failed: line 2 of catalogue.csv, column language, “Swahilli”: Must be the BCP 47 code of a language, such as en or pt-BR, or its name (did you mean sw (Swahili)?).",
  ]);
});

it("the rows of a language are one edition, however each of them writes it", async () => {
  const { table, failures } = await dryRun({
    "catalogue.csv":
      "slug,language,title,file\nwell,English,The Well,1.txt\nwell,en,,2.txt\nhill,eng,A Hill,3.txt",
  });
  expect(failures.join()).toMatch(/2\.txt/);
  expect(table).toMatch(/^create {5}well {2}en {2}1 new file {2}The Well$/m);
  expect(table).toMatch(/^create {5}hill {2}en {2}1 new file {2}A Hill$/m);
});
