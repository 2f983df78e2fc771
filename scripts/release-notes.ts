/** Prints the section of the changelog for a tag, as the text of its release: npm run release-notes --silent -- v1.0.0 */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { findReleaseNotes } from "./changelog.ts";

const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");
const { version } = z.object({ version: z.string() }).parse(JSON.parse(read("package.json")));

const [tag = ""] = process.argv.slice(2);
const notes = findReleaseNotes(read("CHANGELOG.md"), version);
if (tag !== `v${version}`) {
  console.error(`The tag ${tag} isn't v${version}, the version in package.json.`);
  process.exitCode = 1;
} else if (notes === undefined || notes === "") {
  console.error(`CHANGELOG.md has no section for ${version}.`);
  process.exitCode = 1;
} else console.log(notes);
