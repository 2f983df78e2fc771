/** The style sheet of readers' pages. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "../../assets/library");
/** Rules of later files take precedence. */
const FILES = ["base.css", "books.css"];

/** Without comments and the white space that is there for people. */
export const readStyleSheet = (): string =>
  FILES.map((name) => readFileSync(join(FOLDER, name), "utf8"))
    .join("")
    .replaceAll(/\/\*.*?\*\//gs, "")
    .replaceAll(/\s*\n\s*/g, "\n")
    .replaceAll(/\s*([{};,>])\s*/g, "$1")
    .trim();
