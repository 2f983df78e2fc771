/** The example of a public website as files: its texts, its limits, and the document that explains it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findDirection } from "../src/lib/bcp47.ts";
import { submitForm } from "../src/schemas/download-requests.schemas.ts";
import type { PageTexts } from "../src/schemas/page-texts.schemas.ts";
import { PROJECT } from "./support/modules.ts";
import { TEXTS } from "./support/page-texts.ts";
import { policyOf, SITE_FOLDER } from "./support/public-site.ts";

const read = (name: string): string => readFileSync(join(SITE_FOLDER, name), "utf8");
const names = readdirSync(SITE_FOLDER, { recursive: true, encoding: "utf8" }).filter((name) =>
  name.includes("."),
);
const pages = names.filter((name) => name.endsWith(".html"));
const linesOf = (text: string): string[] => text.split("\n").map((line) => line.trim());

/** Those of the service, as the script merges them. */
const texts = new Map(Object.entries(TEXTS).map(([code, own]) => [code, mergeTexts(own)]));
const english = texts.get("en") ?? {};
function mergeTexts({ library, site, busy, unavailable }: PageTexts): Readonly<Record<string, unknown>> {
  return { ...library, ...site, busy: busy.text, unavailable: unavailable.text };
}

/** Keys and English texts of the elements that the script translates. */
const written = [...read("index.html").matchAll(/data-text="(\w+)"[^>]*>([^<]+)</g)];

describe("the texts of the page", () => {
  it("are complete in every language of the reader pages", () => {
    for (const [language, { site }] of Object.entries(TEXTS))
      expect(Object.keys(site ?? {}), language).toEqual(Object.keys(TEXTS.en?.site ?? {}));
    const used = [...read("app.js").matchAll(/\bt\("(\w+)"/g)].map(([, key = ""]) => key);
    expect(used.length).toBeGreaterThan(10);
    expect(used.filter((key) => !(key in english))).toEqual([]);
  });

  it("have none that the page doesn't show", () => {
    const shown = read("app.js") + read("index.html");
    const unused = Object.keys(TEXTS.en?.site ?? {}).filter((key) => !shown.includes(`"${key}"`));
    expect(unused).toEqual([]);
  });

  it("are those of index.html in English", () => {
    expect(written.length).toBeGreaterThan(20);
    for (const [, key = "", text] of written) expect(english[key]).toBe(text);
  });

  it("have a value wherever the English one has one, and a form for every number", () => {
    for (const [language, own] of texts) {
      for (const [key, text] of Object.entries(own)) {
        const inEnglish = english[key];
        if (typeof text === "string" && typeof inEnglish === "string")
          expect(text.includes("{}"), `${language} ${key}`).toBe(inEnglish.includes("{}"));
      }
      const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
      expect(Object.keys(Object(own.count)).sort(), language).toEqual(pluralCategories.sort());
    }
  });

  it("have the direction of their language", () => {
    const [, list = ""] = /isFromRight = \[(.*?)\]/.exec(read("app.js")) ?? [];
    const fromRight = Object.keys(TEXTS).filter((code) => findDirection(code) === "rtl");
    expect(list.match(/\w+/g)).toEqual(fromRight.toSorted());
  });

  it("can all be selected", () => {
    const [, list = ""] = /PAGE_LANGUAGES = \{(.*?)\}/s.exec(read("app.js")) ?? [];
    expect([...list.matchAll(/(\w+): "/g)].map(([, code]) => code)).toEqual(Object.keys(TEXTS).sort());
  });
});

describe("the page", () => {
  it("has fewer than 600 lines", () => {
    const lines = ["index.html", "style.css", "app.js"].flatMap((name) => read(name).trimEnd().split("\n"));
    expect(lines.length).toBeLessThan(600);
  });

  it("requires no other host, and contains no script or style within the pages", () => {
    for (const name of names)
      expect(read(name).replace("http://www.w3.org/2000/svg", ""), name).not.toMatch(
        /https?:\/\/(?!books\.example\.org)/,
      );
    for (const page of pages)
      expect(read(page), page).not.toMatch(/<style|style="|\son\w+="|<script(?! type="module" src=)/);
  });

  it("links only to existing files", () => {
    for (const page of pages) {
      const links = [...read(page).matchAll(/(?:href|src)="([^"?#]+)["?#]/g)].map(([, link = ""]) => link);
      expect(
        links.filter((link) => !["./", "/library"].includes(link) && !names.includes(link)),
        page,
      ).toEqual([]);
    }
  });
});

describe("docs/public-site.md", () => {
  const document = readFileSync(join(PROJECT, "docs/public-site.md"), "utf8");
  const files = names.map((name) => linesOf(read(name)).join("\n"));

  it("contains only code of the example", () => {
    const blocks = [...document.matchAll(/^ *```(?:js|html)\n(.*?)^ *```$/gms)].map(
      ([, block = ""]) => block,
    );
    expect(blocks.length).toBeGreaterThan(6);
    const foreign = blocks.filter(
      (block) =>
        !block.startsWith("<form") && !files.some((file) => file.includes(linesOf(block.trim()).join("\n"))),
    );
    expect(foreign).toEqual([]);
  });

  it("has a form without scripts with fields that the service knows, sent where it takes them", () => {
    const [, form = ""] = /^```html\n(<form .*?)^```$/ms.exec(document) ?? [];
    const names = [...form.matchAll(/name="(\w+)"/g)].map(([, name = ""]) => name);
    expect(names).toEqual(
      expect.arrayContaining(["slug", "languageCode", "firstName", "email", "textVersion"]),
    );
    expect(names.filter((name) => !Object.hasOwn(submitForm.in.shape, name))).toEqual([]);
    expect(form).toMatch(/^<form method="post" action="\/api\/download\/submit" accept-charset="utf-8">/);
  });

  it("recommends the policy under which the page is tested", () => {
    expect(document).toContain(`Content-Security-Policy: ${policyOf("https://books.example.org")}`);
  });
});
