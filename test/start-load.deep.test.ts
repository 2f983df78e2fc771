/** What a start loads and what it leaves for later, and how an administrator hears that the later part is broken. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
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

const moduleOf = (path: string) => JSON.stringify(new URL(`../src/${path}.ts`, import.meta.url).href);

/**
 * What a process says at last that has started the service and runs `body` with it.
 * @param broken packages that can't be found
 */
function inService(body: string, { broken = [] }: { broken?: string[] } = {}): unknown {
  const script = join(createTempFolder(), "script.mjs");
  writeFileSync(
    script,
    `import { registerHooks } from "node:module";
     const broken = ${JSON.stringify(broken)};
     const loaded = new Set();
     registerHooks({
       resolve(name, context, next) {
         if (broken.includes(name)) throw new Error(name + " isn't there");
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

it("the first image loads what it needs, and no more", () => {
  const loaded = inService("await services.system.favicon(); return [...loaded];");
  expect(LATER.filter((name) => [loaded].flat().includes(name))).toEqual(["sharp"]);
});

it.each([["sharp"], ["@napi-rs/canvas"], ["@fontsource-variable/noto-sans-thai/unicode.json"]])(
  "without %s the service starts, and the doctor reports the problem",
  (name) => {
    const body = "return await services.doctor.examine({ deep: false, cloud: false });";
    expect(inService(body, { broken: [name] })).toMatchObject({
      isHealthy: false,
      findings: [
        {
          check: "images_unavailable",
          severity: "error",
          object: { kind: "images" },
          message: `Images can't be created: ${name} isn't there`,
          advice: expect.stringContaining("npm ci"),
        },
      ],
    });
  },
);

it("without sharp a cover returns 503, with the reason in the log", () => {
  const body = `
    const { CoverImages } = await import(${moduleOf("adapters/images/cover-images")});
    const images = new CoverImages();
    const calls = [images.describeEncoder(), images.normalise("x"), images.resize(async () => Buffer.alloc(1), {})];
    const faults = await Promise.allSettled(calls);
    return faults.map(({ reason }) => [reason.status, reason.code, reason.cause.message]);`;
  const error = [503, "images_unavailable", "sharp isn't there"];
  expect(inService(body, { broken: ["sharp"] })).toEqual([error, error, error]);
});
