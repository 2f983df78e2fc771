/**
 * `npm test` here: lints the document, generates both clients, compiles them with the programs that use them, and runs
 * these against a server of their own each.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createBooklets, demoBooks } from "../../tools/demo/catalogue.ts";
import { makeEpub } from "../../tools/demo/epub.ts";
import { ServerProcess } from "../../tools/lib/server-process.ts";
import { generate } from "./generate.ts";
import type { Journey } from "./journey.ts";
import { startLaterVersion } from "./later-version.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const LOGIN = { email: "anna@example.org", password: "a long phrase of the clients' own" };

type Program = (journey: Journey) => Promise<void>;

await step("redocly: no errors, no warnings", lintWithRedocly);
await step("spectral: no errors, no warnings", () =>
  tool("@stoplight/spectral-cli/dist/index.js", "lint", "../../openapi.json", "--fail-severity", "hint"),
);
await step("generate", generate);
await step("tsc --strict", () => tool("typescript/bin/tsc", "--noEmit"));
await step("@hey-api/openapi-ts", async () => run((await import("./hey-api.ts")).walk));
await step("openapi-typescript and openapi-fetch", async () =>
  run((await import("./openapi-fetch.ts")).walk),
);
await step("a later version: @hey-api/openapi-ts with validators", async () =>
  runOnLaterVersion((await import("./growth.ts")).walkWithValidators),
);
await step("a later version: openapi-fetch", async () =>
  runOnLaterVersion((await import("./growth.ts")).walkWithTypes),
);

async function step(name: string, work: () => Promise<unknown>): Promise<void> {
  const begin = performance.now();
  await work();
  console.log(`✓ ${name} (${((performance.now() - begin) / 1000).toFixed(1)} s)`);
}

/** Runs a tool of this folder's own; what it prints is shown when it fails. */
async function tool(file: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const options = { cwd: HERE, env, maxBuffer: 64 * 1024 * 1024 };
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join("node_modules", file), ...args],
      options,
    );
    return stdout;
  } catch (error) {
    const printed = error instanceof Error && "stdout" in error ? `\n${error.stdout}` : "";
    throw new Error(`${file} ${args.join(" ")} failed${printed}`, { cause: error });
  }
}

/** redocly's exit code counts errors only. */
async function lintWithRedocly(): Promise<void> {
  const report = await tool("@redocly/cli/bin/cli.js", "lint", "../../openapi.json", "--format", "json");
  const { totals, problems }: { totals: Record<string, number>; problems: unknown[] } = JSON.parse(report);
  if (totals.errors !== 0 || totals.warnings !== 0) throw new Error(JSON.stringify(problems, null, 2));
}

async function run(program: Program): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "book-clients-"));
  const server = new ServerProcess(
    { DATA_DIR: join(folder, "data"), ADMIN_EMAIL: LOGIN.email, ADMIN_PASSWORD: LOGIN.password },
    { cwd: folder },
  );
  try {
    const { base } = await server.waitUntilReady();
    await program({ baseUrl: base, ...LOGIN, epub: await anEpub() });
  } catch (error) {
    console.error(server.lastLines.join("\n"));
    throw error;
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function runOnLaterVersion(program: Program): Promise<void> {
  return run(async (journey) => {
    const later = await startLaterVersion(journey.baseUrl);
    try {
      await program({ ...journey, baseUrl: later.baseUrl });
    } finally {
      await later.stop();
    }
  });
}

async function anEpub(): Promise<File> {
  const booklet = demoBooks.flatMap(createBooklets).find(({ languageCode }) => languageCode === "es");
  if (!booklet) throw new Error("the demo has no booklet in Spanish");
  return new File([new Uint8Array(await makeEpub(booklet))], "pozo.epub", { type: "application/epub+zip" });
}
