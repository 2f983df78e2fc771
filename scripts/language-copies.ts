/** Writes the copies of the console: of src/lib/choose-language.ts and src/lib/colors.ts. */
import { readFileSync, writeFileSync } from "node:fs";

const COPIES = {
  "src/lib/choose-language.ts": "console/src/messages/choose-language.ts",
  "src/lib/colors.ts": "console/src/library/colors.ts",
};

for (const [path, copy] of Object.entries(COPIES)) {
  const source = readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
  const note = `// A copy of ${path}, written by \`npm run languages\`.\n\n`;
  writeFileSync(new URL(`../${copy}`, import.meta.url), note + source);
}
