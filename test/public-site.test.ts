/** The example of a public website as files: its texts, its limits, and the document that explains it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { demoBooks, demoLanguages } from "../tools/demo/catalogue.ts";
import { policyOf, SITE_FOLDER } from "../tools/demo/site.ts";
import { PROJECT } from "./support/modules.ts";

const read = (name: string): string => readFileSync(join(SITE_FOLDER, name), "utf8");
const names = readdirSync(SITE_FOLDER);
const pages = names.filter((name) => name.endsWith(".html"));
const linesOf = (text: string): string[] => text.split("\n").map((line) => line.trim());

const { texts } = z
  .object({
    texts: z.record(
      z.string(),
      z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())])),
    ),
  })
  .parse(await import(join(SITE_FOLDER, "texts.js")));
const written = [...read("index.html").matchAll(/data-text="(\w+)"/g)].map(([, key = ""]) => key);

describe("the texts of the page", () => {
  it("are complete in every language", () => {
    const { en = {}, ...others } = texts;
    const needed = [...new Set([...Object.keys(en), ...written])].sort();
    expect(Object.keys(others).length).toBeGreaterThan(0);
    for (const [language, own] of Object.entries(others))
      expect(Object.keys(own).sort(), language).toEqual(needed);
    const used = [...read("app.js").matchAll(/\bt\("(\w+)"/g)].map(([, key = ""]) => key);
    expect(used.filter((key) => !(key in en))).toEqual([]);
  });

  it("have a value where the English one has one, and a form for every number", () => {
    for (const [language, own] of Object.entries(texts)) {
      for (const [key, text] of Object.entries(own)) {
        const english = texts.en?.[key];
        if (typeof text === "string" && typeof english === "string")
          expect(text.includes("{}"), `${language} ${key}`).toBe(english.includes("{}"));
      }
      const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
      expect(Object.keys(own.count ?? {}).sort()).toEqual(pluralCategories.sort());
    }
  });

  it("can be chosen by a link", () => {
    const [, nav = ""] = /<nav id="page-languages"(.*?)<\/nav>/s.exec(read("index.html")) ?? [];
    expect([...nav.matchAll(/\?lang=(\w+)/g)].map(([, code]) => code)).toEqual(Object.keys(texts));
  });
});

describe("the page", () => {
  it("has fewer than 500 lines", () => {
    const lines = ["index.html", "style.css", "app.js"].flatMap((name) => read(name).trimEnd().split("\n"));
    expect(lines.length).toBeLessThan(500);
  });

  it("needs no other host, and no script or style inside the pages", () => {
    for (const name of names)
      expect(read(name).replace("http://www.w3.org/2000/svg", ""), name).not.toMatch(
        /https?:\/\/(?!books\.example\.org)/,
      );
    for (const page of pages)
      expect(read(page), page).not.toMatch(/<style|style="|\son\w+="|<script(?! type="module" src=)/);
  });

  it("links only to files that there are", () => {
    for (const page of pages) {
      const links = [...read(page).matchAll(/(?:href|src)="([^"?#]+)["?#]/g)].map(([, link = ""]) => link);
      expect(
        links.filter((link) => link !== "./" && !names.includes(link)),
        page,
      ).toEqual([]);
    }
  });

  it("has forms without scripts for books and languages of the demo", () => {
    const plain = read("plain.html");
    const [, slug] = /name="slug" value="(.+?)"/.exec(plain) ?? [];
    expect(demoBooks.map((book) => book.slug)).toContain(slug);
    const codes = [...plain.matchAll(/<option value="(\w+)"/g)].map(([, code]) => code);
    expect(codes.sort()).toEqual(demoLanguages.map(({ code }) => code).sort());
  });
});

describe("docs/public-site.md", () => {
  const document = readFileSync(join(PROJECT, "docs/public-site.md"), "utf8");
  const files = names.map((name) => linesOf(read(name)).join("\n"));

  it("shows only code of the example", () => {
    const blocks = [...document.matchAll(/^ *```(?:js|html)\n(.*?)^ *```$/gms)].map(
      ([, block = ""]) => block,
    );
    expect(blocks.length).toBeGreaterThan(6);
    const foreign = blocks.filter(
      (block) => !files.some((file) => file.includes(linesOf(block.trim()).join("\n"))),
    );
    expect(foreign).toEqual([]);
  });

  it("recommends the policy under which the page is tested", () => {
    expect(document).toContain(`Content-Security-Policy: ${policyOf("https://books.example.org")}`);
  });
});
