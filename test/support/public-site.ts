/** The example of a website on a port of its own, as a web server of the organisation would serve it. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import express from "express";

export const SITE_FOLDER = fileURLToPath(new URL("../../examples/public-site", import.meta.url));
/** Its texts: those of the service. */
const TEXTS_FOLDER = fileURLToPath(new URL("../../assets/pages", import.meta.url));

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
  // What an operator edits once: the address of the service.
  app.get("/", (_req, res) => {
    const page = readFileSync(`${SITE_FOLDER}/index.html`, "utf8");
    res
      .type("html")
      .send(
        page
          .replace('name="book-service" content=""', `name="book-service" content="${service}"`)
          .replace('href="/library"', `href="${service}/library"`),
      );
  });
  app.use(express.static(SITE_FOLDER));
  app.use("/texts", express.static(TEXTS_FOLDER));
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

/** As docs/public-site.md recommends it: the page needs no other host than the service, and no inline script. */
export const policyOf = (service: string): string =>
  `default-src 'self'; img-src 'self' ${service}; connect-src 'self' ${service}; base-uri 'none'; frame-ancestors 'none'`;
