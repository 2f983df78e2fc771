/** Workbooks with more text and more rows than a process could keep. */
import { expect, it } from "vitest";
import { findFileBelow, resolveFolder } from "../../src/operation/transfer/local-files.ts";
import { writeFiles } from "../support/book-files.ts";
import { createMetadataReader } from "../support/metadata-reader.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { createXlsx, rowOf } from "../support/xlsx.ts";

const reader = createMetadataReader();

async function readLines(rows: string): Promise<string> {
  const folder = createTempFolder();
  writeFiles(folder, { "a.xlsx": await createXlsx({ rows }) });
  const { lines } = await reader.readSheet(await findFileBelow(await resolveFolder(folder), "a.xlsx"));
  return Buffer.from(lines).toString("utf8");
}

it("rejects a workbook with text of 300 MiB", async () => {
  await expect(readLines(" ".repeat(300 * 1024 * 1024))).rejects.toThrow(
    /has 31\d+ bytes; at most 268435456 are read/,
  );
});

it("reads a million rows without text", async () => {
  const rows = `${rowOf(1, ["title"])}${'<row><c r="A1" s="0"/></row>'.repeat(1_000_000)}`;
  expect((await readLines(rows)).trim()).toBe(JSON.stringify([1, "title"]));
});
