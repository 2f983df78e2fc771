/** Writes what the console has as copies of files of the service. */
import { readFileSync, writeFileSync } from "node:fs";

const COPIES = {
  "src/lib/choose-language.ts": "console/src/messages/choose-language.ts",
  "src/lib/colors.ts": "console/src/library/colors.ts",
  "src/lib/hidden-names.ts": "console/src/uploads/hidden-names.ts",
  "src/operation/transfer/spreadsheet/column-names.ts": "console/src/uploads/column-names.ts",
};

for (const [path, copy] of Object.entries(COPIES)) {
  const source = readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
  const note = `// A copy of ${path}, written by \`npm run languages\`.\n\n`;
  writeFileSync(new URL(`../${copy}`, import.meta.url), note + source);
}
