/**
 * Types of the console: `npm run console-types` writes them, `--check` compares them. Slim, because an editor and the
 * compiler read them at each change: without descriptions, examples and the responses of errors, which are all problems.
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import ts from "typescript";

const DOCUMENT = new URL("../../openapi.json", import.meta.url);
const TYPES = new URL("../../console/src/api/schema.d.ts", import.meta.url);

/** Bodies of uploads. */
const BLOB = ts.factory.createTypeReferenceNode("Blob");
const LEFT_OUT = new Set([
  "description",
  "summary",
  "example",
  "examples",
  "x-error-codes",
  "externalDocs",
  "tags",
]);
/** Below these, keys are names that the API gives, not words of OpenAPI. */
const NAMING = new Set(["properties", "paths", "schemas", "responses", "parameters", "headers"]);

const text = await readFile(DOCUMENT, "utf8");
const hash = createHash("sha256").update(text).digest("hex");

async function consoleTypes(): Promise<string> {
  const document: OpenAPI3 = JSON.parse(text, withoutTexts);
  const types = await openapiTS(document, {
    transform: ({ format }) => (format === "binary" ? BLOB : undefined),
  });
  return `// openapi.json ${hash}\n${astToString(types)}`;
}

/** A reviver: a property without a value is dropped. */
function withoutTexts(this: unknown, key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  if (NAMING.has(key)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([name]) => !LEFT_OUT.has(name) && !/^[45]\d\d$/.test(name)),
  );
}

const types = await consoleTypes();
if (process.argv.includes("--check")) {
  if ((await readFile(TYPES, "utf8")) !== types)
    throw new Error("console/src/api/schema.d.ts isn't that of openapi.json: run `npm run console-types`");
} else {
  await mkdir(new URL(".", TYPES), { recursive: true });
  await writeFile(TYPES, types);
}
