import { fileURLToPath } from "node:url";

/**
 * Where compiled code is kept. A process that has it as NODE_COMPILE_CACHE needn't load Node's compiler of types for its
 * first file: scripts/node.mjs does the same.
 */
export const COMPILE_CACHE = fileURLToPath(new URL("../../node_modules/.cache/compile", import.meta.url));
