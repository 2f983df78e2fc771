/** Writes openapi.json; with --check only compares it and fails when it is out of date. */
import { readFileSync, writeFileSync } from "node:fs";
import { documentText } from "../src/cli/openapi.ts";

const FILE = new URL("../openapi.json", import.meta.url);

if (process.argv.includes("--check")) {
  if (readFileSync(FILE, "utf8") !== documentText()) {
    console.error("openapi.json is out of date: run npm run openapi");
    process.exitCode = 1;
  }
} else {
  writeFileSync(FILE, documentText());
}
