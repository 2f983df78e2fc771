/** Generates both clients from ../../openapi.json into an untracked folder. */
import { rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createClient } from "@hey-api/openapi-ts";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

const DOCUMENT = new URL("../../openapi.json", import.meta.url);
const GENERATED = new URL("generated/", import.meta.url);

/** As openapi-typescript's own guide has it: bytes are a Blob, other texts stay texts. */
const BLOB = ts.factory.createTypeReferenceNode("Blob");

export async function generate(): Promise<void> {
  await rm(GENERATED, { recursive: true, force: true });
  await createClient({
    input: fileURLToPath(DOCUMENT),
    output: { path: fileURLToPath(new URL("hey-api", GENERATED)), importFileExtension: ".ts" },
    plugins: [
      "@hey-api/client-fetch",
      "@hey-api/typescript",
      "zod",
      { name: "@hey-api/sdk", validator: { response: "zod" } },
    ],
    logs: { level: "silent", file: false },
  });
  const types = await openapiTS(DOCUMENT, {
    transform: ({ format }) => (format === "binary" ? BLOB : undefined),
  });
  await writeFile(new URL("openapi-typescript.ts", GENERATED), astToString(types));
}
