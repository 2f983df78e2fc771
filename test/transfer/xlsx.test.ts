/** Catalogues that are XLSX workbooks: their texts as a spreadsheet program shows them, and hostile ones. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { silent } from "../../src/operation/progress.ts";
import { Languages } from "../../src/operation/transfer/language-codes.ts";
import { findFileBelow, resolveFolder } from "../../src/operation/transfer/local-files.ts";
import { readLibrary } from "../../src/operation/transfer/open-source.ts";
import { createTitledEpub, writeFiles } from "../support/book-files.ts";
import { createMetadataReader } from "../support/metadata-reader.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { createXlsx, rowOf, sheetOf } from "../support/xlsx.ts";

const reader = createMetadataReader();

async function linesOf(bytes: Buffer): Promise<unknown[]> {
  const folder = createTempFolder();
  writeFiles(folder, { "a.xlsx": bytes });
  const { lines } = await reader.readSheet(await findFileBelow(await resolveFolder(folder), "a.xlsx"));
  return Buffer.from(lines)
    .toString("utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

async function libraryOf(files: Readonly<Record<string, string | Buffer>>, catalogue?: string) {
  const folder = createTempFolder();
  writeFiles(folder, files);
  const [failures, notices, remarks] = [[], [], []];
  const languages = new Languages({ findExisting: async () => [] });
  const options = { folder, grouping: "auto", languageCode: undefined } as const;
  const named = catalogue && join(folder, catalogue);
  const deps = { languages, reader, failures, notices, remarks, progress: silent };
  const library = await readLibrary({ ...options, catalogue: named }, deps);
  return { ...library, failures, notices };
}

const cell = (value: string, attributes = "", more = ""): string =>
  `<c ${attributes}>${more}<v>${value}</v></c>`;

describe("the cells of a workbook", () => {
  const styles = `<numFmts><numFmt numFmtId="164" formatCode="0000000000"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ h:mm"/></numFmts>
    <cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="14"/><xf numFmtId="165"/><xf numFmtId="11"/><xf numFmtId="49"/><xf numFmtId="20"/></cellXfs>`;

  it.each([
    ["a long number", cell("9783161484100"), "9783161484100"],
    ["a whole number", cell("7.0"), "7"],
    ["a sum", cell("0.30000000000000004"), "0.3"],
    ["a number with an exponent", cell("9.7831614841E12"), "9783161484100"],
    ["a scientific format", cell("9783161484100", 's="4"'), "9783161484100"],
    ["a text format", cell("9783161484100", 's="5"'), "9783161484100"],
    ["leading zeros of a format", cell("306406152", 's="1"'), "0306406152"],
    ["leading zeros of a text", cell("0042", 't="str"'), "0042"],
    ["a date", cell("45356", 's="2"'), "2024-03-05"],
    ["a date with time", cell("45356.604166666664", 's="3"'), "2024-03-05T14:30:00"],
    ["a time", cell("0.5208333333333334", 's="6"'), "12:30:00"],
    ["a formula with a number", cell("42", "", "<f>6*7</f>"), "42"],
    ["a formula with a text", cell("a b", 't="str"', "<f>A1</f>"), "a b"],
    ["an error", cell("#REF!", 't="e"'), "#REF!"],
    ["a truth value", cell("1", 't="b"'), "TRUE"],
    ["a shared text with runs and a reading", cell("0", 't="s"'), "El pozo"],
    ["an escaped character", cell("1", 't="s"'), "a\rb"],
  ])("have the text that a spreadsheet program shows: %s", async (_, xml, text) => {
    const strings =
      "<si><r><t>El </t></r><r><t>pozo</t></r><rPh><t>x</t></rPh></si><si><t>a_x000D_b</t></si>";
    expect(await linesOf(await createXlsx({ rows: `<row r="3">${xml}</row>`, strings, styles }))).toEqual([
      [3, text],
    ]);
  });

  it("keep their positions, and dates can count from 1904", async () => {
    const rows = `<row r="2"><c r="C2" s="2"><v>43894</v></c></row><row/><row><c/><c><v>1</v></c></row>`;
    const bytes = await createXlsx({ rows, styles, workbook: '<workbookPr date1904="1"/>' });
    expect(await linesOf(bytes)).toEqual([
      [2, "", "", "2024-03-05"],
      [4, "", "1"],
    ]);
  });
});

it.each(["xl/styles.xml", "xl/sharedStrings.xml"])("can be without %s", async (without) => {
  const rows = '<row r="1"><c s="1"><v>5</v></c></row>';
  expect(await linesOf(await createXlsx({ rows, without }))).toEqual([[1, "5"]]);
});

it("are those of the first sheet that has any", async () => {
  const sheets = `${sheetOf("Sheet1", "r1")}${sheetOf("Books", "r4")}`;
  const bytes = await createXlsx({ rows: '<row r="1"/>', sheets, more: rowOf(1, ["title"]) });
  expect(await linesOf(bytes)).toEqual([[1, "title"]]);
});

const ENTITIES = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>';

it.each([
  ["entities", () => createXlsx({ prolog: ENTITIES, rows: rowOf(1, ["&b;"]) }), /defines entities/],
  [
    "a cell far away",
    () => createXlsx({ rows: '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>' }),
    /XFD1048576 is beyond/,
  ],
  [
    "a formula without a result",
    () => createXlsx({ rows: '<row><c r="A1"><f>B1</f></c></row>' }),
    /A1 has a formula without/,
  ],
  [
    "an end in between",
    async () => (await createXlsx({ rows: "" })).subarray(0, 900),
    /It is no ZIP archive, or a damaged one\.$/,
  ],
  ["no XML", () => createXlsx({ rows: "<row><c></row>" }), /./],
  ["no archive", async () => Buffer.from("title,file"), /./],
  ["no sheet", () => createXlsx({ rows: "", sheets: sheetOf("Chart", "r9") }), /It has no sheet/],
])("rejects a workbook with %s in one line", async (_, workbook, reason) => {
  const importing = libraryOf({ "catalogue.xlsx": await workbook() });
  await expect(importing).rejects.toThrow(/catalogue\.xlsx can't be read\. .+$/);
  await expect(libraryOf({ "catalogue.xlsx": await workbook() })).rejects.toThrow(reason);
});

describe("a workbook", () => {
  const rows = `${rowOf(1, ["title_en", "language", "file", "license"])}${rowOf(3, ["Lune", "", "lune.epub", "CC0"])}${rowOf(4, ["Sol", "frensh", "sol.epub"])}`;

  it("is found in the folder and read, regardless of the case of its name", async () => {
    const sheets = `${sheetOf("Lists", "r4", "hidden")}${sheetOf("Books", "r1")}${sheetOf("Notes", "r4")}`;
    const found = await libraryOf({
      "Catalogue.XLSX": await createXlsx({ rows, sheets }),
      "lune.epub": await createTitledEpub("La Lune", "fr"),
    });
    expect(found.books).toMatchObject([
      { slug: "lune", translations: [{ languageCode: "fr", license: "CC0" }] },
    ]);
    const message = "Read the first sheet of Catalogue.XLSX, “Books”, and not “Notes”.";
    expect(found.notices).toEqual([{ code: "other_sheets", message, names: ["Notes"] }]);
    expect(found.failures).toMatchObject([
      { subject: "line 4 of Catalogue.XLSX, column language, “frensh”" },
    ]);
    expect(found.titleField).toBe("a column title_en in Catalogue.XLSX");
  });

  it("is read if it is named; with two, one must be named", async () => {
    const files = {
      "list.xlsx": await createXlsx({ rows }),
      "catalogue.csv": "title_en,file\nMar,lune.epub",
      "catalogue.xlsx": await createXlsx({ rows }),
      "lune.epub": await createTitledEpub("La Lune", "fr"),
    };
    expect((await libraryOf(files, "list.xlsx")).books).toMatchObject([{ slug: "lune" }]);
    const usual = await libraryOf(files);
    expect(usual.books).toMatchObject([{ slug: "mar" }]);
    const message = "Read catalogue.csv, not catalogue.xlsx beside it; --catalogue names another one.";
    expect(usual.notices).toEqual([{ code: "other_catalogues", message, names: ["catalogue.xlsx"] }]);
  });

  it.each(["books.ods", "books.xls"])("of another format is rejected with a remedy: %s", async (name) => {
    await expect(libraryOf({ [name]: "x" }, name)).rejects.toThrow(
      /can't be read\. Save it as XLSX, or as CSV in UTF-8\.$/,
    );
  });
});
