/** The example of a public website as files: its limits, the texts of its element, and the document that explains it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { submitForm } from "../src/schemas/download-requests.schemas.ts";
import type { PageTexts } from "../src/schemas/page-texts.schemas.ts";
import { widgetTexts } from "../src/schemas/widget.schemas.ts";
import { PROJECT } from "./support/modules.ts";
import { TEXTS } from "./support/page-texts.ts";
import { policyOf, SITE_FOLDER } from "./support/public-site.ts";

const WIDGET_FOLDER = join(PROJECT, "widget");
const read = (name: string): string => readFileSync(join(SITE_FOLDER, name), "utf8");
const names = readdirSync(SITE_FOLDER);
const pages = names.filter((name) => name.endsWith(".html"));
const linesOf = (text: string): string[] => text.split("\n").map((line) => line.trim());

const modules = readdirSync(WIDGET_FOLDER).filter((name) => name.endsWith(".ts"));
const scripts = modules.map((name) => readFileSync(join(WIDGET_FOLDER, name), "utf8"));

/** As the service chooses them. */
const selectTexts = ({ library, site, letters, busy, unavailable }: PageTexts) => {
  const { heading: mailHeading, text: mailText, button: mailButton } = letters?.lookIntoMail ?? {};
  const messages = { mailHeading, mailText, mailButton, busy: busy.text, unavailable: unavailable.text };
  return widgetTexts.parse({ ...library, ...site, ...messages });
};

describe("the texts of the element", () => {
  it("are complete in every language of the reader pages, and no others", () => {
    const ofElement = Object.keys(widgetTexts.shape);
    for (const [language, { site = {} }] of Object.entries(TEXTS)) {
      expect(Object.keys(site), language).toEqual(Object.keys(TEXTS.en?.site ?? {}));
      expect(ofElement, language).toEqual(expect.arrayContaining(Object.keys(site)));
    }
  });

  it("are all shown", () => {
    const shown = scripts.join("");
    const fields = ["firstNameError", "emailError"];
    const unused = Object.keys(widgetTexts.shape).filter(
      (key) => !fields.includes(key) && !shown.includes(`"${key}"`) && key !== "count",
    );
    expect(unused).toEqual([]);
  });

  it("have a value wherever the English one has one, and a form for every number", () => {
    const english = selectTexts(Object(TEXTS.en));
    for (const [language, all] of Object.entries(TEXTS)) {
      const { count, ...own } = selectTexts(all);
      for (const [key, text] of Object.entries(own)) {
        const inEnglish = Object.entries(english).find(([name]) => name === key)?.[1];
        expect(text.includes("{}"), `${language} ${key}`).toBe(String(inEnglish).includes("{}"));
      }
      const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
      expect(Object.keys(count).sort(), language).toEqual(pluralCategories.sort());
    }
  });
});

describe("the page", () => {
  it("has fewer than 100 lines", () => {
    const lines = ["index.html", "style.css"].flatMap((name) => read(name).trimEnd().split("\n"));
    expect(lines.length).toBeLessThan(100);
  });

  it("requires no other host, and contains no script or style within the pages", () => {
    for (const name of names)
      expect(read(name).replace("http://www.w3.org/2000/svg", ""), name).not.toMatch(
        /https?:\/\/(?!books\.example\.org)/,
      );
    for (const page of pages)
      expect(read(page), page).not.toMatch(
        /<style|style="|\son\w+="|<script(?! src="\/api\/widget.js" defer>)/,
      );
  });

  it("links only to existing files", () => {
    for (const page of pages) {
      const links = [...read(page).matchAll(/(?:href|src|privacy-url)="([^"?#]+)["?#]/g)].map(
        ([, link = ""]) => link,
      );
      const ofService = ["./", "/library", "/api/widget.js"];
      expect(
        links.filter((link) => !ofService.includes(link) && !names.includes(link)),
        page,
      ).toEqual([]);
    }
  });
});

describe("docs/public-site.md", () => {
  const document = readFileSync(join(PROJECT, "docs/public-site.md"), "utf8");
  const files = [...names.map(read), ...scripts].map((text) => linesOf(text).join("\n"));

  it("contains only code of the element and of the example", () => {
    const blocks = [...document.matchAll(/^ *```(?:js|ts)\n(.*?)^ *```$/gms)].map(([, block = ""]) => block);
    expect(blocks.length).toBeGreaterThan(6);
    const foreign = blocks.filter(
      (block) => !files.some((file) => file.includes(linesOf(block.trim()).join("\n"))),
    );
    expect(foreign).toEqual([]);
  });

  it("names each attribute of the element, each part and each custom property", () => {
    const [, attributes = ""] = /ATTRIBUTES = "(.*)"/.exec(scripts.join("")) ?? [];
    expect(attributes.split(" ").length).toBe(9);
    for (const name of attributes.split(" ")) expect(document).toContain(`\n| \`${name}\` | `);
    const style = readFileSync(join(WIDGET_FOLDER, "style.css"), "utf8");
    const properties = new Set([...style.matchAll(/--book-library(-[\w-]+)/g)].map(([, name = ""]) => name));
    expect(properties.size).toBe(10);
    for (const name of properties) expect(document, name).toMatch(new RegExp(`${name}\``));
    const made = /\b(?:make\("\w+", |makeButton\(|makeAsk\()"([\w -]+)"/g;
    const parts = scripts.flatMap((text) => [...text.matchAll(made)]);
    expect(parts.length).toBeGreaterThan(20);
    const inner = ["library", "actions"];
    const missing = parts
      .flatMap(([, list = ""]) => list.split(" "))
      .filter((name) => !inner.includes(name) && !document.includes(`\`${name}\``));
    expect(missing).toEqual([]);
  });

  it("describes a plug-in for WordPress with the same attributes, each of which it escapes", () => {
    const [, attributes = ""] = /ATTRIBUTES = "(.*)"/.exec(scripts.join("")) ?? [];
    const plugin = readFileSync(join(PROJECT, "examples/wordpress/book-library.php"), "utf8");
    const [, list = ""] = /\$names = \[(.*?)\];/.exec(plugin) ?? [];
    const names = [...list.matchAll(/'(\w+)'/g)].map(([, name = ""]) => name.replaceAll("_", "-"));
    expect([...names, "service"]).toEqual(attributes.split(" "));
    const printed = [...plugin.matchAll(/="' \. (\w+|\$\w+)/g)].map(([, value]) => value);
    expect(printed).toEqual(["esc_url", "$escaped", "esc_url"]);
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
