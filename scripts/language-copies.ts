/**
 * Writes the copies of src/lib/choose-language.ts: that of the console, and that of the example page in JavaScript; and that
 * of src/lib/colors.ts for the console.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

const source = read("../src/lib/choose-language.ts");
const noteOf = (path: string): string => `// A copy of ${path}, written by \`npm run languages\`.\n\n`;
const NOTE = noteOf("src/lib/choose-language.ts");

writeFileSync(new URL("../console/src/messages/choose-language.ts", import.meta.url), NOTE + source);
writeFileSync(
  new URL("../examples/public-site/choose-language.js", import.meta.url),
  NOTE + stripTypeScriptTypes(source),
);
writeFileSync(
  new URL("../console/src/library/colors.ts", import.meta.url),
  noteOf("src/lib/colors.ts") + read("../src/lib/colors.ts"),
);
