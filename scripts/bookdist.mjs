#!/usr/bin/env node
/** The program `bookdist`: the commands of src/cli.ts, on a Node that is new enough. Plain JavaScript, like node.mjs. */
import { fileURLToPath } from "node:url";

process.argv.splice(2, 0, fileURLToPath(new URL("../src/cli.ts", import.meta.url)));
await import("./node.mjs");
