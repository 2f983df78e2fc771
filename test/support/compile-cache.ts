/** Lets the worker threads of the service start from compiled code, as they do in production. */
import { enableCompileCache } from "node:module";
import { COMPILE_CACHE } from "../../tools/lib/compile-cache.ts";

enableCompileCache(COMPILE_CACHE);
