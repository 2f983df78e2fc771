/** The script and the style sheet of `<book-library>` for browsers, from the files in which they are written. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";

const ROOT = join(import.meta.dirname, "../..");
/** In the order in which they use each other. */
const FILES = [
  "src/lib/choose-language.ts",
  "widget/service.ts",
  "widget/words.ts",
  "widget/dom.ts",
  "widget/request-form.ts",
  "widget/library.ts",
  "widget/element.ts",
];
const STYLE = "widget/style.css";
const MAX_WAIT_MS = 60_000;

export interface WidgetSource {
  /** JavaScript without imports and exports. */
  script: string;
  style: string;
}

let source: Promise<WidgetSource> | undefined;

/** They are read once in a process, when they are first needed; after an error, again. */
export function readWidgetSource(): Promise<WidgetSource> {
  source ??= read().catch((error: unknown) => {
    source = undefined;
    throw error;
  });
  return source;
}

const readText = (path: string): string => readFileSync(join(ROOT, path), "utf8");

async function read(): Promise<WidgetSource> {
  const modules = FILES.map(readText).join("\n");
  const style = readText(STYLE)
    .replaceAll(/\/\*.*?\*\//gs, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  return { script: removeImports(await removeTypes(modules)), style };
}

/** Each name is in one file only. */
const removeImports = (script: string): string =>
  script.replaceAll(/^import\b[^;]*;\n/gm, "").replaceAll(/^export (?=\w)/gm, "");

/**
 * On a thread of its own: Node's compiler of types keeps 30 MB, which end with the thread, and says that it is experimental,
 * which isn't for operators to read.
 */
function removeTypes(text: string): Promise<string> {
  const worker = new Worker(new URL("./strip-types.ts", import.meta.url), {
    workerData: text,
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  const timer = setTimeout(() => void worker.terminate(), MAX_WAIT_MS);
  return new Promise<string>((resolve, reject) => {
    worker.once("message", (script: unknown) => resolve(String(script)));
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`The thread for the script ended with ${code}`)));
  }).finally(() => clearTimeout(timer));
}
