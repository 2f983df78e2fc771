/** Pages for people who open an address of the server in a browser: `/`, and unknown paths. */
/*
 * They show no versions and no data. Their addresses are relative: a proxy may serve the API below a path of its own.
 */
import { createHash } from "node:crypto";
import { html, type Markup } from "../../lib/html.ts";
import type { Content } from "./responses.ts";

const STYLE = `
:root { color-scheme: light dark; --page: #f5f3ee; --card: #fff; --line: #e4e0d7; --text: #23211d; --quiet: #635f56; --accent: #1d5f8a; --good: #1d7a46; --bad: #b3261e }
@media (prefers-color-scheme: dark) { :root { --page: #171614; --card: #211f1c; --line: #393630; --text: #ece8df; --quiet: #aba597; --accent: #8cc4ea; --good: #6fcf97; --bad: #ff9c92 } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.25rem; background: var(--page); color: var(--text); font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", sans-serif }
main { width: 100%; max-width: 36rem; padding: clamp(1.5rem, 6vw, 3rem); background: var(--card); border: 1px solid var(--line); border-radius: 1rem }
img { display: block; width: 4rem; height: 4rem; border-radius: .75rem }
h1 { margin: 1.25rem 0 .5rem; font-size: clamp(1.5rem, 6vw, 2rem); line-height: 1.2; letter-spacing: -.01em; text-wrap: balance }
p { margin: 0 0 1rem; text-wrap: pretty }
.state { display: flex; align-items: center; gap: .6rem; font-weight: 600; color: var(--good) }
.state::before { content: ""; flex: none; width: .7rem; height: .7rem; border-radius: 50%; background: currentColor }
.state.down { color: var(--bad) }
nav { display: grid; gap: .75rem; margin: 1.5rem 0 }
nav:last-child { margin-bottom: 0 }
a { display: block; padding: .85rem 1.1rem; border: 1px solid var(--line); border-radius: .75rem; color: inherit; text-decoration: none }
a:hover, a:focus-visible { border-color: var(--accent); outline: 2px solid var(--accent); outline-offset: -1px }
a b { display: block; color: var(--accent) }
a span, .reader { color: var(--quiet); font-size: .95rem }
.reader { margin: 0 }
`;

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "img-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** @param siteUrl the public site, if it is configured */
export const renderHomePage = (state: "working" | "down", siteUrl: string | undefined): Content =>
  layOut(
    "Book Distribution Service",
    html`<p class="state ${state}">This server is ${state === "working" ? "working" : "not working at the moment"}.
<p>It gives away books in many languages through an API. The organisation that runs it shows the books on a website of its own.`,
    [linkToSite(siteUrl), linkToReference(""), DOCUMENT],
    siteUrl === undefined
      ? html`<p class="reader">Looking for a book? Please go to the website where you found it.`
      : html``,
  );

/** For a path that no operation has. */
export function renderUnknownPathPage(siteUrl: string | undefined, path: string): Content {
  const root = "../".repeat(Math.max(0, path.split("/").length - 2));
  const links = [
    linkToSite(siteUrl),
    linkTo(root || "./", "Start page", "See whether the server is working"),
    linkToReference(root),
  ];
  const text = html`<p>This server has nothing at this address. From here you can go to:`;
  return layOut("Page not found", text, links, html``, root);
}

const linkTo = (address: string, name: string, purpose: string): Markup =>
  html`<a href="${address}"><b>${name}</b> <span>${purpose}</span></a>`;

const linkToSite = (url: string | undefined): Markup =>
  url === undefined ? html`` : linkTo(url, "Books", `Find and download them at ${new URL(url).host}`);

const linkToReference = (root: string): Markup =>
  linkTo(`${root}api/docs`, "API reference", "Read about every operation and try it out");
const DOCUMENT = linkTo("api/openapi.json", "OpenAPI document", "Generate a client from it");

/** @param root the address of `/`, relative to the page */
function layOut(heading: string, text: Markup, links: readonly Markup[], last: Markup, root = ""): Content {
  const page = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${heading}</title>
<link rel="icon" href="${root}api/favicon">
<style>${{ markup: STYLE }}</style>
<main>
<img src="${root}api/favicon" alt="">
<h1>${heading}</h1>
${text}
<nav>
${links}
</nav>
${last}
</main>
</html>
`;
  return { mediaType: "text/html; charset=utf-8", contentSecurityPolicy: POLICY, text: page.markup };
}
