/** Writes openapi.json; with --check only compares it and fails when it is out of date. */
import { readFileSync, writeFileSync } from "node:fs";
import { formatDocument } from "../src/cli/openapi.ts";

const FILE = new URL("../openapi.json", import.meta.url);

if (process.argv.includes("--check")) {
  if (readFileSync(FILE, "utf8") !== formatDocument()) {
    console.error("openapi.json is out of date: run npm run openapi");
    process.exitCode = 1;
  }
} else {
  writeFileSync(FILE, formatDocument());
}
