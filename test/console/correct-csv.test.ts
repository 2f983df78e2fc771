/** A corrected spreadsheet that the console saves: the service reads of it what it read of the former one with corrections. */
import { describe, expect, it } from "vitest";
import { type Cell, correctCsv } from "../../console/src/uploads/correct-csv.ts";
import { correctTable } from "../../src/operation/transfer/spreadsheet/correct-table.ts";
import { readCsv } from "../../src/operation/transfer/spreadsheet/table.ts";

const CELLS: readonly Cell[] = [
  { line: 3, column: "language", value: "tr" },
  { line: 2, column: "title", value: 'A "well",\nand a moon; =1' },
];

/** Without what ends a line: cells that aren't there are empty. */
const readRows = (lines: readonly { cells: readonly string[] }[]) =>
  lines.map(({ cells }) =>
    cells
      .map((cell) => cell.replace(/^'(?==)/, ""))
      .join("\u0000")
      .replace(/\0+$/, ""),
  );

const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le");

describe("a spreadsheet with corrected cells", () => {
  it.each<[string, string | Buffer]>([
    ["with commas", "title,title_en,language,file\nEl pozo,Well,es,a.txt\nKuyu,Moon,Turkisch?,b.txt\n"],
    ["with semicolons and CRLF", 'title;language\r\nEl pozo;es\r\n"Ay; ""moon""";tr?\r\n'],
    ["with tabs and short lines", "title\tauthors\tlanguage\nEl pozo\n\n=1+1\tAna\tx\textra"],
    ["with a line that names the separator", 'sep=|\ntitle|language\nEl pozo|es\n"a\nb"|x\n'],
    ["with a byte order mark and empty lines", "\uFEFF\n\ntitle;language\nx;y\n"],
    ["in UTF-16", utf16("title\tlanguage\nبئر\tar\nقمر\tx\n")],
  ])("%s is read as it was corrected", (_, given) => {
    const bytes = Buffer.from(given);
    const expected = correctTable(readCsv(bytes, "a.csv"), CELLS, []);
    const saved = readCsv(Buffer.from(correctCsv(bytes, CELLS, false)), "a.csv");
    expect(readRows(saved.lines)).toEqual(readRows(expected.lines));
  });

  it("has the names that columns got, and not those that are left out", () => {
    const bytes = Buffer.from("Título,Regal,Sprache,Title EN\nEl pozo,1,Espanol?,Well\n");
    const cells = [
      { line: 1, column: "título", value: "title" },
      { line: 1, column: "Sprache", value: "language" },
      { line: 2, column: "language", value: "es" },
    ];
    expect(correctCsv(bytes, cells, true)).toBe("\uFEFFtitle,language,Title EN\r\nEl pozo,es,Well\r\n");
  });
});
