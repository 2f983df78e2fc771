/** What a start loads and what it leaves for later, and how an administrator hears that the later part is broken. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { createTempFolder } from "./support/temp-folder.ts";

/** Loading them would take as long as the rest of the start, and many a day passes without most of them. */
const LATER = [
  "sharp",
  "@napi-rs/canvas",
  "undici",
  "archiver",
  "file-type",
  "@node-rs/argon2",
  "jsonwebtoken",
  "multer",
  "piscina",
  "prom-client",
  "tar-stream",
];

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SHARED = ["assets", "migrations", "package.json", "widget"];

/** A copy of the service whose packages are those of this one, without one of them, which its processes lack likewise. */
function createCopyWithout(broken: string): string {
  const folder = createTempFolder();
  cpSync(join(ROOT, "src"), join(folder, "src"), { recursive: true });
  for (const name of SHARED) symlinkSync(join(ROOT, name), join(folder, name));
  for (const name of listPackages()) {
    if (name === broken) continue;
    mkdirSync(dirname(join(folder, "node_modules", name)), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", name), join(folder, "node_modules", name));
  }
  return folder;
}

const listPackages = (): string[] =>
  readdirSync(join(ROOT, "node_modules"))
    .filter((name) => !name.startsWith("."))
    .flatMap((name) =>
      name.startsWith("@")
        ? readdirSync(join(ROOT, "node_modules", name)).map((each) => `${name}/${each}`)
        : [name],
    );

/** What a process says at last that has started the service in a folder and runs `body` with it. */
function inService(body: string, folder = ROOT): unknown {
  const moduleOf = (path: string) => JSON.stringify(pathToFileURL(join(folder, "src", `${path}.ts`)).href);
  const script = join(createTempFolder(), "script.mjs");
  writeFileSync(
    script,
    `import { registerHooks } from "node:module";
     const loaded = new Set();
     registerHooks({
       resolve(name, context, next) {
         const found = next(name, context);
         const [, packageName] = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(found.url) ?? [];
         if (packageName) loaded.add(packageName);
         return found;
       },
     });
     const { pino } = await import(${JSON.stringify(import.meta.resolve("pino"))});
     const { createApp } = await import(${moduleOf("app")});
     const { readConfig } = await import(${moduleOf("config")});
     const { createContainer } = await import(${moduleOf("container")});
     await import(${moduleOf("serve")});
     const config = readConfig({ DATA_DIR: ${JSON.stringify(createTempFolder())} });
     const container = await createContainer(config, pino({ level: "silent" }));
     const { services } = container;
     await container.sweep();
     await createApp(container);
     const asked = async () => { ${body} };
     console.log(JSON.stringify(await asked()));
     await container.close();`,
  );
  return JSON.parse(execFileSync(process.execPath, [script], { encoding: "utf8" }));
}

it("a start loads nothing that few requests need", () => {
  const loaded = inService("return [...loaded];");
  expect(loaded).toContain("express");
  expect(LATER.filter((name) => [loaded].flat().includes(name))).toEqual([]);
});

it("images are drawn without loading their libraries into the service", () => {
  const loaded = inService("await services.system.favicon(); return [...loaded];");
  expect(LATER.filter((name) => [loaded].flat().includes(name))).toEqual([]);
});

it.each([["sharp"], ["@napi-rs/canvas"], ["@fontsource-variable/noto-sans-thai"]])(
  "without %s the service starts, and the doctor reports the problem",
  (name) => {
    const body = "return await services.doctor.examine({ deep: false, cloud: false });";
    expect(inService(body, createCopyWithout(name))).toMatchObject({
      isHealthy: false,
      findings: [
        {
          check: "images_unavailable",
          severity: "error",
          object: { kind: "images" },
          message: expect.stringMatching(new RegExp(`^Images can't be created: .*${name}`, "s")),
          advice: expect.stringContaining("npm ci"),
        },
      ],
    });
  },
);

it("without sharp a cover returns 503, with the reason in the log", () => {
  const body = `
    const { images } = container;
    const upload = { sizeBytes: 1, open: async () => ({
      readFile: async () => Buffer.from("x"),
      [Symbol.asyncDispose]: async () => {},
    }) };
    const calls = [images.describeEncoder(), images.normalise(upload), images.resize(async () => Buffer.alloc(1), {})];
    const faults = await Promise.allSettled(calls);
    return faults.map(({ reason }) => [reason.status, reason.code, reason.cause.message]);`;
  const error = [503, "images_unavailable", expect.stringContaining("sharp")];
  expect(inService(body, createCopyWithout("sharp"))).toEqual([error, error, error]);
});
