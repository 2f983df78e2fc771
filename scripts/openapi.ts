/** Writes openapi.json; with --check only compares it and fails when it is out of date. */
import { readFileSync, writeFileSync } from "node:fs";
import { openApiDocument } from "../src/openapi/document.ts";
import { routes } from "../src/routes/index.ts";
import { appVersion } from "../src/version.ts";

const FILE = new URL("../openapi.json", import.meta.url);
const document = `${JSON.stringify(openApiDocument(routes, appVersion), null, 2)}\n`;

if (process.argv.includes("--check")) {
  if (readFileSync(FILE, "utf8") !== document) {
    console.error("openapi.json is out of date: run npm run openapi");
    process.exitCode = 1;
  }
} else {
  writeFileSync(FILE, document);
}
