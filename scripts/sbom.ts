/**
 * Prints what the service consists of, as CycloneDX 1.5: npm run sbom --silent > sbom.json
 *
 * Made from package-lock.json alone, so that the same versions give the same document. `npm sbom --omit dev` isn't used:
 * it leaves out what a package of the service shares with one that is only for development.
 */
import { readFileSync } from "node:fs";
import { z } from "zod";

const lockFile = z.object({
  name: z.string(),
  version: z.string(),
  packages: z.record(
    z.string(),
    z.object({
      version: z.string(),
      license: z.string().optional(),
      integrity: z.string().optional(),
      resolved: z.string().optional(),
      dev: z.boolean().optional(),
      optional: z.boolean().optional(),
    }),
  ),
});
type LockedPackage = z.output<typeof lockFile>["packages"][string];

const text = readFileSync(new URL("../package-lock.json", import.meta.url), "utf8");
const { name, version, packages } = lockFile.parse(JSON.parse(text, withoutWorkspaces));

/** A reviver: the console is a workspace of development packages, and the link to it isn't a package. */
function withoutWorkspaces(key: string, value: unknown): unknown {
  if (key !== "packages" || typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([path, { link }]) => path !== "console" && link !== true),
  );
}

const purlOf = (packageName: string, packageVersion: string): string =>
  `pkg:npm/${packageName.replace("@", "%40")}@${packageVersion}`;

/** `sha512-` and base64 in the lock file, hexadecimal digits here. */
const parseHashes = (integrity: string) =>
  [...integrity.matchAll(/\bsha(\d+)-([\w+/=]+)/g)].map(([, bits, digest = ""]) => ({
    alg: `SHA-${bits}`,
    content: Buffer.from(digest, "base64").toString("hex"),
  }));

function createComponent(path: string, locked: LockedPackage) {
  const packageName = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  const { license, integrity, resolved } = locked;
  return {
    type: "library",
    "bom-ref": path,
    name: packageName,
    version: locked.version,
    scope: locked.optional ? "optional" : "required",
    purl: purlOf(packageName, locked.version),
    ...(license !== undefined && { licenses: [{ expression: license }] }),
    ...(integrity !== undefined && { hashes: parseHashes(integrity) }),
    ...(resolved !== undefined && { externalReferences: [{ type: "distribution", url: resolved }] }),
  };
}

const document = {
  $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
  bomFormat: "CycloneDX",
  specVersion: "1.5",
  version: 1,
  metadata: { component: { type: "application", name, version, purl: purlOf(name, version) } },
  components: Object.entries(packages)
    .filter(([path, { dev }]) => path !== "" && !dev)
    .map(([path, locked]) => createComponent(path, locked)),
};
console.log(JSON.stringify(document, null, 2));
