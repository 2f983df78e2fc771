/** The texts of readers' pages, of the service and of the operator. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readPageFiles } from "../../src/adapters/page-files.ts";
import { createPageLanguages } from "../../src/library/page-languages.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const readTexts = (dataDir: string) => createPageLanguages(readPageFiles(dataDir)).fallback.texts;

it("of the service are read and checked once, those of operators for each data folder", () => {
  const shipped = readTexts(createTempFolder());
  const own = createTempFolder();
  mkdirSync(join(own, "pages"));
  writeFileSync(join(own, "pages", "en.json"), JSON.stringify({ fields: { email: "Your address" } }));
  const changed = readTexts(own);
  expect(changed).toEqual({ ...shipped, fields: { ...shipped.fields, email: "Your address" } });
  expect(readTexts(createTempFolder())).toBe(shipped);
});
