/** Pages for people who open an address of the server in a browser: `/` without the library, and unknown paths. */
/*
 * They show no versions and no data. Their addresses are relative: a proxy may serve the API below a path of its own.
 */
import { html, type Markup } from "../../lib/html.ts";
import { type Look, NOTHING, renderShell } from "../../library/shell.ts";
import { type Content, PAGE_POLICY } from "./responses.ts";

interface Surroundings {
  look: Look;
  /** The public site, if it is configured. */
  siteUrl: string | undefined;
}

/** Also in place of the library while the database doesn't respond. */
export function renderHomePage(state: "working" | "down", { look, siteUrl }: Surroundings): Content {
  const heading = `This server is ${state === "working" ? "working" : "not working at the moment"}.`;
  const content = html`<h1 class="state ${state}">${heading}</h1>
<p>It gives away books in many languages through an API. The organisation that runs it shows the books on a website of its own.</p>
${renderLinks([linkToSite(siteUrl), linkToReference(""), linkTo("api/openapi.json", "OpenAPI document", "Generate a client from it")])}
${siteUrl === undefined ? html`<p>Looking for a book? Please go to the website where you found it.</p>` : NOTHING}`;
  return layOut("Book Distribution Service", content, { look, root: "", home: siteUrl });
}

/** For a path that no operation has. */
export function renderUnknownPathPage(
  path: string,
  { look, siteUrl, hasLibrary }: Surroundings & { hasLibrary: boolean },
): Content {
  const root = rootOf(path);
  const start = hasLibrary
    ? linkTo(root || "./", "Books", "Find and download them here")
    : linkTo(root || "./", "Start page", "See whether the server is working");
  const content = html`<h1>Page not found</h1>
<p>This server has nothing at this address. From here you can go to:</p>
${renderLinks([linkToSite(siteUrl), start, linkToReference(root)])}`;
  return layOut("Page not found", content, { look, root, home: siteUrl ?? (root || "./") });
}

/** The address of `/`, relative to this path. */
export const rootOf = (path: string): string => "../".repeat(Math.max(0, path.split("/").length - 2));

const linkTo = (address: string, name: string, purpose: string): Markup =>
  html`<a href="${address}"><b>${name}</b> <small>${purpose}</small></a>`;

const linkToSite = (url: string | undefined): Markup =>
  url === undefined ? NOTHING : linkTo(url, "Books", `Find and download them at ${new URL(url).host}`);

const linkToReference = (root: string): Markup =>
  linkTo(`${root}api/docs`, "API reference", "Read about every operation and try it out");

const renderLinks = (links: readonly Markup[]): Markup =>
  html`<ul class="languages cards">
${links.filter((link) => link !== NOTHING).map((link) => html`<li>${link}</li>`)}
</ul>`;

function layOut(
  title: string,
  content: Markup,
  page: { look: Look; root: string; home: string | undefined },
): Content {
  const text = renderShell(
    { code: "en", direction: "ltr", title, head: html`<meta name="robots" content="noindex">`, ...page },
    html`<div class="message">${content}</div>`,
  );
  return { mediaType: "text/html; charset=utf-8", contentSecurityPolicy: PAGE_POLICY, text };
}
