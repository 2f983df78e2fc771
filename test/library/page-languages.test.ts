/** The texts of readers' pages, of the service and of the operator. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readPageFiles } from "../../src/adapters/page-files.ts";
import { createPageLanguages } from "../../src/library/page-languages.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const readTexts = (dataDir: string) => createPageLanguages(readPageFiles(dataDir)).fallback.texts;

/** A data folder with a file of an operator. */
function folderWith(content: string | Buffer): string {
  const folder = createTempFolder();
  mkdirSync(join(folder, "pages"));
  writeFileSync(join(folder, "pages", "en.json"), content);
  return folder;
}

it("of the service are read and checked once, those of operators for each data folder", () => {
  const shipped = readTexts(createTempFolder());
  const changed = readTexts(folderWith(JSON.stringify({ fields: { email: "Your address" } })));
  expect(changed).toEqual({ ...shipped, fields: { ...shipped.fields, email: "Your address" } });
  expect(readTexts(createTempFolder())).toBe(shipped);
});

it("may begin with the mark of an editor", () => {
  expect(readTexts(folderWith('\ufeff{"again": "Encore"}')).again).toBe("Encore");
});

it.each<[string, string | Buffer, RegExp]>([
  [
    "in another encoding",
    Buffer.from('{"again": "Revenez \xe0 la page"}', "latin1"),
    /en\.json: can't be read: .*utf-8/,
  ],
  [
    "misspelt names",
    JSON.stringify({ agian: "Again", letters: { stop: "Stop", subjct: "a", buton: "b" } }),
    /en\.json: letters has unknown fields: subjct, buton, has unknown fields: agian$/,
  ],
])("are refused with %s", (_, content, reason) => {
  expect(() => readTexts(folderWith(content))).toThrow(reason);
});
