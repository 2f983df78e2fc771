/** The files that .dockerignore lets into the image are all that the service needs. */
import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { PROJECT } from "./support/modules.ts";
import { ServiceProcess } from "./support/service-process.ts";
import { createTempFolder } from "./support/temp-folder.ts";

/** A folder with the files of the image, and the packages of this one. */
function imageFolder(): string {
  const folder = createTempFolder();
  for (const [, path = ""] of readFileSync(join(PROJECT, ".dockerignore"), "utf8").matchAll(/^!(.+)$/gm)) {
    cpSync(join(PROJECT, path), join(folder, path), { recursive: true });
  }
  symlinkSync(join(PROJECT, "node_modules"), join(folder, "node_modules"));
  return folder;
}

/** What the Dockerfile deletes from the installed packages. */
const prunedFonts =
  /^RUN (find .+ -delete)$/m.exec(readFileSync(join(PROJECT, "Dockerfile"), "utf8"))?.[1] ?? "";

describe("the image's files", () => {
  it("contain the API, its document and its reference", async () => {
    const folder = imageFolder();
    const server = new ServiceProcess(
      { DATA_DIR: join(folder, "data") },
      { script: [join(folder, "scripts/bookdist.mjs"), "serve"], cwd: folder },
    );
    const base = await server.waitUntilListening();
    for (const path of ["/api/openapi.json", "/api/docs", "/api/favicon", "/api/languages"])
      expect([path, (await fetch(base + path)).status]).toEqual([path, 200]);
    const page = await fetch(`${base}/api/download/x`, {
      headers: { accept: "text/html", "accept-language": "de" },
    });
    expect(await page.text()).toContain("Dieser Link funktioniert nicht");
    expect((await server.end()).code).toBe(0);
  });

  it("contain the fonts of covers in every script", async () => {
    const folder = imageFolder();
    const fonts = "node_modules/@fontsource-variable";
    rmSync(join(folder, "node_modules"));
    mkdirSync(join(folder, "node_modules"));
    for (const name of readdirSync(join(PROJECT, "node_modules")))
      if (join("node_modules", name) !== fonts)
        symlinkSync(join(PROJECT, "node_modules", name), join(folder, "node_modules", name));
    cpSync(join(PROJECT, fonts), join(folder, fonts), { recursive: true });
    execFileSync("sh", ["-c", prunedFonts], { cwd: folder });
    const title = "Well бог 水井 우물 かえ ཆུ بئر באר कुआँ কূপ";
    const draw = `const { PlaceholderFonts } = await import("./src/adapters/images/placeholder-fonts.ts");
      process.stdout.write((await new PlaceholderFonts().findLettering(${JSON.stringify(title)}, "zh")).text);`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--eval", draw], { cwd: folder });
    expect(stdout).toBe(title);
    expect(readdirSync(join(folder, fonts, "noto-sans/files"))).toHaveLength(8);
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
