/** Reads the texts of readers' pages: `<language code>.json` in `assets/pages`, and in `pages` in the data folder. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { OperatorError } from "../errors.ts";
import { PAGES_FOLDER } from "../lib/data-dir-names.ts";
import { isMissing, reasonOf } from "../lib/node-errors.ts";

export interface PageFile {
  path: string;
  /** Without the extension. */
  name: string;
  /** The parsed JSON. */
  content: unknown;
}

/** Far more than the texts of any language, so that a wrong file isn't read into memory. */
const MAX_BYTES = 64 * 1024;

/** Without the mark with which editors on Windows begin a file; what isn't UTF-8 would reach readers as damaged letters. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

const SHIPPED = join(import.meta.dirname, "../../assets/pages");

/** They are read once: a start needs them for its pages and for those of its errors. */
let shipped: readonly PageFile[] | undefined;

/**
 * The texts of the service, followed by the operator's.
 * @throws OperatorError for a file that can't be read, is too large, or isn't JSON
 */
export function readPageFiles(dataDir: string): PageFile[] {
  shipped ??= readFiles(SHIPPED);
  return [...shipped, ...readFiles(join(dataDir, PAGES_FOLDER))];
}

const readFiles = (folder: string): PageFile[] =>
  listFiles(folder).map((path) => {
    const name = /([^/\\]+)\.json$/.exec(path)?.[1];
    if (name === undefined) throw new OperatorError(`${path}: the name must end with .json`);
    try {
      if (statSync(path).size > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES} bytes`);
      return { path, name, content: JSON.parse(utf8.decode(readFileSync(path))) };
    } catch (error) {
      throw new OperatorError(`${path}: can't be read: ${reasonOf(error)}`, { cause: error });
    }
  });

/** The paths of all files, but those that file managers hide. */
function listFiles(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => !name.startsWith("."));
    return names.sort().map((name) => join(folder, name));
  } catch (error) {
    if (isMissing(error)) return [];
    throw new OperatorError(`${folder}: can't be read: ${reasonOf(error)}`, { cause: error });
  }
}
