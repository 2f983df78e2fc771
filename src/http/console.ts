/** Serves the files of the console below `/console/`. The console is a client of the API like any other. */
import type { Request, RequestHandler, Response } from "express";
import { type ConsoleBuild, type ConsoleFile, newNonce } from "../adapters/console-files.ts";
import { AppError } from "../errors.ts";
import { html } from "../lib/html.ts";
import { choosePreferredCoding, readHost } from "./requests/headers.ts";
import { sendBytes } from "./responses/send-reply.ts";

const BASE = "/console/";

/** The addresses of its pages, below `/console/`. */
export const CONSOLE_PAGES = [
  "",
  "books",
  "books/{bookId}",
  "languages",
  "channels",
  "library",
  "publications",
  "import",
  "contacts",
  "contacts/{contactId}",
  "downloads",
  "report",
  "api-keys",
  "users",
  "audit",
  "settings",
  "webhooks",
  "doctor",
  "account",
  "reset",
] as const;

/** Any text in the place of an id shows the page, which says whether there is such a record. */
const PAGES = CONSOLE_PAGES.map((page) => new RegExp(`^${page.replace(/\{.+\}/, "[^/]+")}$`));

/** The build puts it into the shell, in a `meta` element. */
const NONCE_PLACE = "%CSP_NONCE%";

interface ConsoleDeps {
  /** The only host that has the console; undefined: all. */
  host: string | undefined;
  /** Fails if nothing is built. */
  readBuild(): Promise<ConsoleBuild>;
}

/**
 * Passes on what isn't below `/console`, and everything for other hosts.
 * @throws AppError 405 for other methods than GET and HEAD
 */
export function createConsole({ host, readBuild }: ConsoleDeps): RequestHandler {
  let reading: Promise<ConsoleBuild> | undefined;
  const findBuild = async () => {
    reading ??= readBuild();
    const build = await reading.catch(() => undefined);
    // A build that is missing now is looked for again: it may come while the service runs.
    if (build === undefined) reading = undefined;
    return build;
  };
  const isHere = (req: Request) =>
    (req.path === "/console" || req.path.startsWith(BASE)) && (host === undefined || readHost(req) === host);
  return async (req, res, next) => {
    if (!isHere(req)) return next();
    if (req.method !== "GET" && req.method !== "HEAD") throw onlyReads();
    if (req.path === "/console") return res.redirect(308, BASE);
    const build = await findBuild();
    if (build === undefined) return sendHtml(res, 503, missingBuildPage);
    const name = req.path.slice(BASE.length);
    const asset = build.assets.get(name);
    if (asset) return sendAsset(req, res, asset);
    const status = PAGES.some((page) => page.test(name)) ? 200 : 404;
    sendHtml(res, status, (nonce) => build.shell.replaceAll(NONCE_PLACE, nonce));
  };
}

const onlyReads = () =>
  new AppError(405, "method_not_allowed", "The console's files can be read only.", {
    headers: { Allow: "GET, HEAD" },
  });

function sendAsset(req: Request, res: Response, asset: ConsoleFile): void {
  const coding = choosePreferredCoding(req.headers["accept-encoding"], [...asset.encoded.keys()]);
  const encoded = coding === "identity" ? undefined : asset.encoded.get(coding);
  res.vary("Accept-Encoding");
  // The name contains a hash of the content.
  res.setHeader("Cache-Control", "public, max-age=31536000, immutable");
  if (encoded) res.setHeader("Content-Encoding", coding);
  sendBytes(res, asset.mediaType, encoded ?? asset.bytes);
}

/** From a cache, HTML would have the nonce of another response. */
function sendHtml(res: Response, status: number, compose: (nonce: string) => string): void {
  const nonce = newNonce();
  res.status(status);
  res.setHeader("Cache-Control", "no-store");
  res.setHeader("Content-Security-Policy", policyWith(nonce));
  sendBytes(res, "text/html; charset=utf-8", compose(nonce));
}

/** Components write styles that depend on their state, so these need a nonce; scripts come from files only. */
const policyWith = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

const missingBuildPage = (nonce: string): string =>
  html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The console isn't built</title>
<style nonce="${nonce}">:root { color-scheme: light dark } body { margin: 3rem auto; max-width: 36rem; padding: 0 1.25rem; font: 1rem/1.6 system-ui, sans-serif }</style>
<main>
<h1>The console isn't built</h1>
<p>The service works, but the files of its console are missing. Run this command in the folder of the service, then load this page again:</p>
<pre><code>npm run build</code></pre>
</main>
</html>
`.markup;
