/** The folder that holds all state. */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf, isMissing } from "../lib/node-errors.ts";

/**
 * Makes the data folder for the service's own user alone, and those above it; one that stands is fine.
 * Step by step, because Node's own `recursive` never ends where the system allows no folder at all (`/proc`).
 */
export function makeDataDir(path: string): void {
  try {
    mkdirUnlessThere(path);
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path) throw error;
    makeDataDir(dirname(path));
    mkdirUnlessThere(path);
  }
}

function mkdirUnlessThere(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}
