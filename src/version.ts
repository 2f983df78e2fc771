/** The version of this service, from package.json. */
import { createRequire } from "node:module";
import { z } from "zod";

const manifest: unknown = createRequire(import.meta.url)("../package.json");

export const appVersion = z.object({ version: z.string() }).parse(manifest).version;
