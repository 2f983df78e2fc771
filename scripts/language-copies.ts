/** Writes the copies of src/lib/choose-language.ts: that of the console, and that of the example page in JavaScript. */
import { readFileSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

const source = read("../src/lib/choose-language.ts");
const NOTE = "// A copy of src/lib/choose-language.ts, written by `npm run languages`.\n\n";

writeFileSync(new URL("../console/src/messages/choose-language.ts", import.meta.url), NOTE + source);
writeFileSync(
  new URL("../examples/public-site/choose-language.js", import.meta.url),
  NOTE + stripTypeScriptTypes(source),
);
