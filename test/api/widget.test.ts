/** What a page with `<book-library>` loads besides books: how it is sent, and that browsers can read it. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";
import { describe, expect, it } from "vitest";
import { widgetTexts } from "../../src/schemas/widget.schemas.ts";
import { startApp } from "../support/app.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { PROJECT } from "../support/modules.ts";
import { TEXTS } from "../support/page-texts.ts";
import { formatGet, sendRaw } from "../support/raw-http.ts";

const SCRIPT = "/api/widget.js";
const textsOf = (code: string) => `/api/widget/texts/${code}.json`;
const MAX_BROTLI_BYTES = 15_000;
const MAX_LINES = 700;
const FOREIGN = { Origin: "https://www.example.com" };

describe("GET /api/widget.js", () => {
  it("returns a classic script that a page of any site may load, also as a module", async () => {
    const { api } = await startApp();
    for (const path of [SCRIPT, `${SCRIPT}?v=1`, `${SCRIPT}?ver=6.9&utm_source=x`]) {
      const { status, body, headers } = await api.get(path, FOREIGN);
      const text = String(body);
      expect([path, status]).toEqual([path, 200]);
      expect(headers).toMatchObject({
        "content-type": "text/javascript; charset=utf-8",
        "access-control-allow-origin": "*",
        "cross-origin-resource-policy": "cross-origin",
        "x-content-type-options": "nosniff",
        "cache-control": "no-cache",
      });
      expect(headers["access-control-allow-credentials"]).toBeUndefined();
      expect(() => new Script(text)).not.toThrow();
      expect(text).not.toMatch(/^(import|export)\b|\binterface\b|: string\b/m);
    }
  });

  it("returns the same for every origin, and 304 until it has changed", async () => {
    const { api } = await startApp({ CORS_ORIGINS: "https://www.example.org" });
    const { headers, body } = await api.get(SCRIPT);
    const known = { "If-None-Match": headers.etag ?? "" };
    for (const origin of ["https://www.example.org", "https://www.example.com", "null"]) {
      const same = await api.get(SCRIPT, { Origin: origin });
      expect([String(same.body), same.headers.etag]).toEqual([String(body), headers.etag]);
      expect(same.headers["access-control-allow-origin"]).toBe("*");
      expect(same.headers.vary).toBe("Accept-Encoding");
      expect((await api.get(SCRIPT, { ...known, Origin: origin })).status).toBe(304);
    }
    expect((await api.get(`${SCRIPT}?v=2`, known)).status).toBe(304);
    expect((await api.get(SCRIPT, known)).headers["access-control-allow-origin"]).toBe("*");
    const head = await api.head(SCRIPT);
    expect([head.status, head.headers["content-length"]]).toEqual([200, String(body.length)]);
    expectProblem(await api.post(SCRIPT, {}), 405);
  });

  it("may be kept for PUBLIC_CACHE_SECONDS, and isn't forgotten with the catalogue", async () => {
    const { api } = await startApp({ PUBLIC_CACHE_SECONDS: "60" });
    for (const path of [SCRIPT, textsOf("sw")]) {
      const { headers } = await api.get(path);
      expect(headers["cache-control"]).toBe("public, max-age=0, s-maxage=60, stale-while-revalidate=60");
      expect(headers["surrogate-key"]).toBeUndefined();
    }
  });

  it("has at most 15 kB in brotli with the English texts", async () => {
    const { api, server } = await startApp();
    const text = String((await api.get(SCRIPT)).body);
    const get = () => sendRaw(server, formatGet(SCRIPT, ["Accept-Encoding: br"]));
    await expect.poll(async () => (await get()).headers["content-encoding"]).toBe("br");
    expect(Number((await get()).headers["content-length"])).toBeLessThanOrEqual(MAX_BROTLI_BYTES);
    for (const sentence of Object.values(widgetTexts.parse((await api.get(textsOf("en"))).body)))
      expect(text).toContain(JSON.stringify(sentence));
  });

  it("is written in at most 700 lines, with nothing that a strict page forbids", () => {
    const folder = join(PROJECT, "widget");
    const modules = readdirSync(folder).filter((name) => name.endsWith(".ts"));
    const texts = modules.map((name) => readFileSync(join(folder, name), "utf8"));
    expect(texts.join("").split("\n").length - 1).toBeLessThanOrEqual(MAX_LINES);
    for (const text of texts)
      expect(text).not.toMatch(
        /innerHTML|outerHTML|insertAdjacentHTML|DOMParser|\beval\b|new Function|\.style\b|Storage|cookie|https?:\/\/(?!books\.example\.org)/,
      );
  });
});

describe("GET /api/widget/texts/{code}.json", () => {
  it("returns what the element says, in each language of the pages for readers", async () => {
    const { api } = await startApp();
    expect(Object.keys(TEXTS).length).toBe(15);
    for (const code of Object.keys(TEXTS)) {
      const { status, body, headers } = await api.get(textsOf(code), FOREIGN);
      expect([code, status]).toEqual([code, 200]);
      expect(widgetTexts.strict().parse(body)).toEqual(body);
      expect(headers["access-control-allow-origin"]).toBe("*");
      expect(headers["cross-origin-resource-policy"]).toBe("cross-origin");
      const again = await api.get(textsOf(code), { "If-None-Match": headers.etag ?? "" });
      expect(again.status).toBe(304);
    }
    expect((await api.get(textsOf("SW"))).body).toEqual((await api.get(textsOf("sw"))).body);
  });

  it("returns 404 for a language without texts, which a page of any site may read", async () => {
    const { api } = await startApp();
    for (const code of ["xx", "en-GB", "..%2F..%2Fopenapi", "__proto__", "x".repeat(300)]) {
      const response = await api.get(textsOf(code), FOREIGN);
      expectProblem(response, 404);
      expect(response.headers["access-control-allow-origin"]).toBe("*");
    }
    expectProblem(await api.get("/api/widget/texts/en"), 404);
  });

  it("has the operator's own texts, and no language that lacks some", async () => {
    const { dataDir } = await startApp();
    const write = (code: string, content: unknown) => {
      mkdirSync(join(dataDir, "pages"), { recursive: true });
      writeFileSync(join(dataDir, "pages", `${code}.json`), JSON.stringify(content));
    };
    const { site, ...withoutSite } = { ...TEXTS.en };
    write("en", { library: { findBook: "Look for a book" } });
    write("ta", { ...TEXTS.en, site: { ...site, more: "More in Tamil" } });
    write("ur", withoutSite);
    const { api } = await startApp({}, { dataDir });
    expect((await api.get(textsOf("en"))).body.findBook).toBe("Look for a book");
    expect((await api.get(textsOf("ta"))).body.more).toBe("More in Tamil");
    expectProblem(await api.get(textsOf("ur")), 404);
    const text = String((await api.get(SCRIPT)).body);
    expect(text).toContain('"Look for a book"');
    expect(/const DIRECTIONS = (.*);/.exec(text)?.[1]).toMatch(/"ar":"rtl".*"ta":"ltr"/);
    expect(text).not.toContain('"ur":');
  });
});
