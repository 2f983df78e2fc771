/** What the service consists of, as it is told to those who watch for known errors. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { PROJECT } from "./support/modules.ts";

const component = z.object({
  type: z.literal("library"),
  "bom-ref": z.string(),
  name: z.string(),
  version: z.string(),
  scope: z.enum(["required", "optional"]),
  purl: z.string().regex(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@[\w.+-]+$/),
  licenses: z.array(z.object({ expression: z.string() })).optional(),
  hashes: z.array(z.object({ alg: z.literal("SHA-512"), content: z.string().regex(/^[0-9a-f]{128}$/) })),
});
const bom = z.object({
  bomFormat: z.literal("CycloneDX"),
  specVersion: z.literal("1.5"),
  version: z.int(),
  metadata: z.object({ component: z.object({ type: z.literal("application"), name: z.string() }) }),
  components: z.array(component),
});

const versions = z.record(z.string(), z.string()).default({});
const lock = z
  .object({
    packages: z.record(
      z.string(),
      z.object({
        // The console, a workspace of development packages, and the link to it have none.
        version: z.string().optional(),
        dev: z.boolean().default(false),
        dependencies: versions,
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(join(PROJECT, "package-lock.json"), "utf8")));

// It needs neither npm nor the network.
const printed = (): string =>
  execFileSync(process.execPath, ["scripts/sbom.ts"], { cwd: PROJECT, encoding: "utf8", env: {} });

it("npm run sbom lists each package of the service with its dependencies, and no other", () => {
  const { components, metadata } = bom.parse(JSON.parse(printed()));
  expect(metadata.component.name).toBe("book-distribution-service");
  const shipped = Object.entries(lock.packages).filter(
    ([path, { dev, version }]) => path !== "" && !dev && version !== undefined,
  );
  expect(components.map((each) => `${each["bom-ref"]} ${each.version}`)).toEqual(
    shipped.map(([path, { version }]) => `${path} ${version}`),
  );
  // From the packages that package.json names down to the last: nothing that one of them needs is left out.
  const names = new Set(components.map(({ name }) => name));
  const needed = Object.keys(lock.packages[""]?.dependencies ?? {});
  for (const name of needed) {
    expect(names, name).toContain(name);
    for (const below of Object.keys(lock.packages[`node_modules/${name}`]?.dependencies ?? {}))
      if (!needed.includes(below)) needed.push(below);
  }
  expect(needed.length).toBeGreaterThan(100);
  expect([...names].filter((name) => /^(vitest|typescript|@biomejs)/.test(name))).toEqual([]);
});

it("npm run sbom prints the same for the same versions", () => {
  expect(printed()).toBe(printed());
});
