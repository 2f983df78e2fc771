/** `openapi [--out file]`: the OpenAPI document of this version. */
import { writeFile } from "node:fs/promises";
import { z } from "zod";
import { openApiDocument } from "../openapi/document.ts";
import { routes } from "../routes/index.ts";
import { appVersion } from "../version.ts";
import type { Call } from "./command.ts";

const openapiOptions = z.object({ out: z.string().optional() });

export async function openapi({ options }: Call): Promise<number> {
  const { out } = openapiOptions.parse(options);
  if (out === undefined) process.stdout.write(formatDocument());
  else await writeFile(out, formatDocument());
  return 0;
}

/** The content of openapi.json. */
export const formatDocument = (): string =>
  `${JSON.stringify(openApiDocument(routes, appVersion), null, 2)}\n`;
