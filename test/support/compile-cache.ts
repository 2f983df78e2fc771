/** Lets the worker threads of the service start from compiled code, as they do in production. */
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

enableCompileCache(fileURLToPath(new URL("../../node_modules/.cache/compile", import.meta.url)));
