/** The example of a website on a port of its own, as a web server of the organisation would serve it. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import express from "express";
import { escapeHtml } from "../../src/lib/html.ts";

export const SITE_FOLDER = fileURLToPath(new URL("../../examples/public-site", import.meta.url));

export interface Site {
  /** Its origin. */
  url: string;
  close(): void;
}

/** @param service address of the service, which has to allow the site's origin (`CORS_ORIGINS`) */
export async function serveSite({ port, service }: { port: number; service: string }): Promise<Site> {
  const app = express();
  app.use((_req, res, next) => {
    res.set("Content-Security-Policy", policyOf(service));
    next();
  });
  // What an operator edits once: the address of the service. And for tests, attributes of the element.
  app.get("/", ({ query }, res) => {
    const attributes = ["language", "languages", "book"].flatMap((name) => {
      const value = query[name];
      return typeof value === "string" ? [`${name}="${escapeHtml(value)}"`] : [];
    });
    const page = readFileSync(`${SITE_FOLDER}/index.html`, "utf8");
    res.type("html").send(
      page
        .replace('src="/api/widget.js"', `src="${service}/api/widget.js"`)
        .replace('href="/library"', `href="${service}/library"`)
        .replace("<book-library", ["<book-library", ...attributes].join(" ")),
    );
  });
  app.use(express.static(SITE_FOLDER));
  const server = app.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** As docs/public-site.md recommends it: nothing of another host than the service, and no inline script. */
export const policyOf = (service: string): string =>
  `default-src 'none'; style-src 'self'; script-src ${service}; img-src 'self' ${service}; connect-src ${service}; require-trusted-types-for 'script'; base-uri 'none'; frame-ancestors 'none'`;
