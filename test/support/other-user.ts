/** A user whom the system's permissions bind: they don't bind root, as whom containers run tests. */
import { chownSync, readdirSync } from "node:fs";
import { join } from "node:path";

const NO_CONTACT = 65_534;

/** Gives a folder with all that is in it to a user without rights. @returns that user, for a process; nothing unless root runs the tests */
export function giveAway(folder: string): { uid?: number } {
  if (process.getuid?.() !== 0) return {};
  for (const name of ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })]) {
    chownSync(join(folder, name), NO_CONTACT, NO_CONTACT);
  }
  return { uid: NO_CONTACT };
}
