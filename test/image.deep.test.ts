/** The files that .dockerignore lets into the image are all that the service needs. */
import { execFile } from "node:child_process";
import { cpSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { PROJECT } from "./support/modules.ts";
import { ServiceProcess } from "./support/service-process.ts";
import { tempFolder } from "./support/temp-folder.ts";

/** A folder with the files of the image, and the packages of this one. */
function imageFolder(): string {
  const folder = tempFolder();
  for (const [, path = ""] of readFileSync(join(PROJECT, ".dockerignore"), "utf8").matchAll(/^!(.+)$/gm)) {
    cpSync(join(PROJECT, path), join(folder, path), { recursive: true });
  }
  symlinkSync(join(PROJECT, "node_modules"), join(folder, "node_modules"));
  return folder;
}

describe("the image's files", () => {
  it("serve the API, its document and its reference", async () => {
    const folder = imageFolder();
    const server = new ServiceProcess(
      { DATA_DIR: join(folder, "data") },
      { script: [join(folder, "src/server.ts")], cwd: folder },
    );
    const base = await server.listening();
    for (const path of ["/api/openapi.json", "/api/docs", "/api/favicon", "/api/languages"])
      expect([path, (await fetch(base + path)).status]).toEqual([path, 200]);
    expect((await server.end()).code).toBe(0);
  });

  it("contain the commands", async () => {
    const folder = imageFolder();
    const program = join(folder, "scripts/bookdist.mjs");
    const run = (command: string) =>
      promisify(execFile)(process.execPath, [program, command], { cwd: folder, maxBuffer: 2 ** 22 });
    expect((await run("openapi")).stdout).toBe(readFileSync(join(PROJECT, "openapi.json"), "utf8"));
    expect((await run("geoip")).stdout).toContain("Countries: included");
  });
});
