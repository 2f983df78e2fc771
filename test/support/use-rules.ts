/** What a module may use: types that hold, names and packages where they belong, nothing that leaks. */
import type { Rule } from "./layer-rules.ts";
import {
  childOf,
  childrenOf,
  errorAt,
  type Import,
  liesIn,
  memberName,
  packageOf,
  type SyntaxNode,
  textOf,
} from "./modules.ts";

/**
 * `any`, `!` and casts tell the compiler to look away. `as const` is none.
 * @param argued how many casts are right in which file
 */
export const keepsTypesHonest =
  (argued: Readonly<Record<string, number>> = {}): Rule =>
  (module) => {
    const casts = module.nodes.filter(isCast).map((node) => errorAt(module, node, "is a cast"));
    const right = argued[module.path] ?? 0;
    const others = module.nodes.flatMap((node) => {
      if (node.type === "TSAnyKeyword") return [errorAt(module, node, "is any")];
      const isAssertion = node.type === "TSNonNullExpression" || node.definite === true;
      return isAssertion ? [errorAt(module, node, "is a non-null !")] : [];
    });
    if (right === 0) return [...others, ...casts];
    return casts.length === right
      ? others
      : [...others, `${module.path}:1 has ${casts.length} casts, ${right} are argued`];
  };

function isCast(node: SyntaxNode): boolean {
  const type = childOf(childOf(node, "typeAnnotation"), "typeName");
  return node.type === "TSTypeAssertion" || (node.type === "TSAsExpression" && textOf(type) !== "const");
}

const SUPPRESSION = /@ts-(ignore|expect-error|nocheck)|(biome|eslint)-(ignore|disable)/;

export const suppressesNothing: Rule = ({ path, text }) =>
  text.split("\n").flatMap((line, index) => {
    const [found] = SUPPRESSION.exec(line) ?? [];
    return found === undefined ? [] : [`${path}:${index + 1} has ${found}`];
  });

/** Names that only some places may use. What isn't listed may be used anywhere. */
const NAME_HOMES: Readonly<Record<string, readonly string[]>> = {
  // Canvas takes whether it may use the fonts of the system from the environment alone.
  "process.env": ["src/config.ts", "src/adapters/images/placeholder-fonts.ts"],
  "Date.now": ["src/adapters/"],
  "Math.random": ["src/adapters/"],
  "crypto.randomUUID": ["src/adapters/"],
  "crypto.getRandomValues": ["src/adapters/"],
  fetch: ["src/adapters/"],
};

/** @param argued uses that are right elsewhere, as `path name` */
export const usesNamesAtHome =
  (argued: readonly string[] = []): Rule =>
  (module) =>
    module.nodes.flatMap((node) =>
      namesUsedBy(node).flatMap((name) => {
        const homes = name.startsWith("console.") ? [] : NAME_HOMES[name];
        const isRight = !homes || liesIn(module.path, homes) || argued.includes(`${module.path} ${name}`);
        return isRight ? [] : [errorAt(module, node, `must not use ${name}`)];
      }),
    );

function namesUsedBy(node: SyntaxNode): string[] {
  const callee = textOf(childOf(node, "callee"));
  const asksForNow = node.type === "CallExpression" || childrenOf(node, "arguments").length === 0;
  if (callee === "Date") return asksForNow ? ["Date.now"] : [];
  if (callee !== undefined) return [callee];
  const member = memberName(node);
  return member === undefined ? destructuredNames(node) : [member];
}

/** `const { env } = process` */
function destructuredNames(node: SyntaxNode): string[] {
  const object = textOf(childOf(node, "init", "Identifier"));
  const pattern = childOf(node, "id", "ObjectPattern");
  if (object === undefined || !pattern) return [];
  return childrenOf(pattern, "properties").map((each) => `${object}.${textOf(childOf(each, "key"))}`);
}

/** Where a package may be imported, and a module of Node's that reaches outside. Not listed: nowhere. */
export const MODULE_HOMES: Readonly<Record<string, readonly string[]>> = {
  "@napi-rs/canvas": ["src/adapters/images/"],
  "@node-rs/argon2": ["src/adapters/password-hasher.ts"],
  archiver: ["src/adapters/files/zip-archive.ts"],
  "better-sqlite3": ["src/db/"],
  commander: ["src/cli/run.ts"],
  "content-disposition": ["src/http/responses/send-stream.ts"],
  "cookie-parser": ["src/app.ts"],
  cors: ["src/http/router.ts"],
  "csv-stringify": ["src/lib/csv.ts"],
  express: ["src/app.ts", "src/http/"],
  "file-type": ["src/adapters/"],
  helmet: ["src/app.ts"],
  isbot: ["src/adapters/user-agents.ts"],
  jsonwebtoken: ["src/adapters/tokens.ts"],
  kysely: ["src/db/", "src/repositories/", "migrations/"],
  "lru-cache": ["src/"],
  maxmind: ["src/adapters/geo-ip/database.ts"],
  multer: ["src/http/requests/upload.ts"],
  "p-limit": ["src/adapters/", "src/services/"],
  pino: ["src/adapters/logger.ts"],
  piscina: ["src/db/workers/"],
  "range-parser": ["src/http/"],
  "rate-limiter-flexible": ["src/http/requests/rate-limit.ts"],
  sharp: ["src/adapters/images/pictures.ts"],
  "tar-stream": ["src/adapters/geo-ip/archive.ts"],
  "ua-parser-js": ["src/adapters/user-agents.ts"],
  undici: ["src/adapters/"],
  uuid: ["src/adapters/system.ts"],
  zod: ["src/"],
  "node:async_hooks": ["src/db/"],
  "node:child_process": ["src/db/workers/examination.ts"],
  "node:dns/promises": ["src/adapters/"],
  "node:fs": ["src/adapters/", "src/backup/", "src/db/", "src/config.ts"],
  // The reference reads Swagger UI's files where npm has put them.
  "node:fs/promises": ["src/adapters/", "src/backup/", "src/db/", "src/openapi/reference.ts"],
  "node:http": ["src/http/server.ts"],
  // For finding a file of a package, package.json itself, and the cache of compiled sources.
  "node:module": [
    "src/version.ts",
    "src/node-version.ts",
    "src/openapi/reference.ts",
    "src/server.ts",
    "src/cli.ts",
    "src/adapters/images/placeholder-fonts.ts",
    "src/adapters/geo-ip/geo-ip.ts",
    "src/db/workers/worker-thread.ts",
  ],
  "node:os": ["src/cli/", "src/db/workers/"],
  "node:perf_hooks": ["src/adapters/process-figures.ts"],
  "node:readline/promises": ["src/cli/"],
  "node:worker_threads": ["src/db/", "src/repositories/event-counts/worker.ts"],
};

/** What of Node's modules only computes: no clock, no chance, nothing outside. It may be imported anywhere. */
const PURE: Readonly<Record<string, RegExp>> = {
  "node:crypto": /^(createHash|createHmac|createSecretKey|hkdfSync|timingSafeEqual)$/,
  "node:events": /./,
  "node:http": /^STATUS_CODES$/,
  "node:net": /^(isIP|isIPv4|isIPv6|BlockList|SocketAddress)$/,
  "node:path": /./,
  "node:querystring": /./,
  "node:stream": /./,
  "node:stream/consumers": /./,
  "node:stream/promises": /./,
  "node:url": /./,
  "node:util": /./,
  "node:zlib": /^crc32$/,
};

export const importsAtHome: Rule = ({ path, imports }) =>
  imports
    .filter((each) => !mayImport(path, each))
    .map(({ specifier, line }) => `${path}:${line} must not import ${specifier}`);

function mayImport(path: string, imported: Import): boolean {
  const { specifier, names, isTypeOnly } = imported;
  const isNodes = specifier.startsWith("node:");
  // A type of Node's touches nothing; the types of a package tie a file to the package.
  if (specifier.startsWith(".") || (isNodes && isTypeOnly)) return true;
  const pure = PURE[specifier];
  if (pure && names.every((name) => pure.test(name))) return true;
  const homes = MODULE_HOMES[packageOf(imported) ?? specifier] ?? (pure ? ["src/adapters/"] : []);
  return liesIn(path, homes);
}

/** `stream.pipe(res)` leaves the file open when the client goes, and so does archiver when it reads files itself. */
export const leaksNoFiles: Rule = (module) => {
  const usesArchiver = module.imports.some((each) => packageOf(each) === "archiver");
  return module.nodes.flatMap((node) => {
    const method = textOf(childOf(childOf(node, "callee", "MemberExpression"), "property")) ?? "";
    const target = textOf(childrenOf(node, "arguments")[0]) ?? "";
    if (method === "pipe" && /^(res|response|reply)$/.test(target))
      return [errorAt(module, node, "pipes into an answer")];
    const readsFiles = usesArchiver && /^(file|directory|glob)$/.test(method);
    return readsFiles ? [errorAt(module, node, `lets archiver open files by ${method}()`)] : [];
  });
};
