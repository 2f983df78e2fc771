/** The style sheet of readers' pages. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const STYLE_SHEET = join(import.meta.dirname, "../../assets/library.css");

/** Without comments and the white space that is there for people. */
export const readStyleSheet = (): string =>
  readFileSync(STYLE_SHEET, "utf8")
    .replaceAll(/\/\*.*?\*\//gs, "")
    .replaceAll(/\s*\n\s*/g, "\n")
    .replaceAll(/\s*([{};,>])\s*/g, "$1")
    .trim();
