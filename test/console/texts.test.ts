/** The texts of the console: each language has all of them, with the arguments of the English ones, and each is used. */
import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { IntlMessageFormat } from "intl-messageformat";
import { describe, expect, it } from "vitest";
import { isLanguage, LANGUAGES } from "../../console/src/messages/languages.ts";
import notes from "../../console/src/messages/notes.json" with { type: "json" };
import {
  ARGUMENT_TYPES,
  type LanguageTexts,
  listArguments,
  readTexts,
  renderArgumentTypes,
} from "../../scripts/text-arguments.ts";

const SOURCES = join(import.meta.dirname, "../../console/src");
const english = readTexts("en");
const others = Object.keys(LANGUAGES).filter((language) => language !== "en");

/** By file. */
const listKeys = (texts: LanguageTexts) =>
  Object.fromEntries([...texts].map(([file, ofFile]) => [file, [...ofFile.keys()].toSorted()]));

const joinFiles = (texts: LanguageTexts): ReadonlyMap<string, string> =>
  new Map([...texts.values()].flatMap((ofFile) => [...ofFile]));

const describeArguments = (text: string): string[] =>
  [...listArguments(text)].map(([name, type]) => {
    const isIsolated = text.includes(`\u2068{${name}}\u2069`);
    // A sentence of another language can count what this one only names.
    const kind = type.includes('"') ? type : "";
    return `${name} ${kind}${isIsolated ? "isolated" : ""}`;
  });

it("there is a folder of texts for each language", () => {
  const folders = readdirSync(join(SOURCES, "messages"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(folders.toSorted()).toEqual(Object.keys(LANGUAGES).toSorted());
  expect(folders.filter((name) => !isLanguage(name))).toEqual([]);
});

it("the types of the arguments are up to date: npm run texts", () => {
  expect(readFileSync(ARGUMENT_TYPES, "utf8")).toBe(renderArgumentTypes());
});

it("no key is in two files", () => {
  const keys = [...english.values()].flatMap((texts) => [...texts.keys()]);
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});

describe.each(others)("%s", (language) => {
  const texts = readTexts(language);

  it("has each key, in the same file", () => {
    expect(listKeys(texts)).toEqual(listKeys(english));
  });

  it("has the arguments of the English texts", () => {
    const describeAll = (all: LanguageTexts) =>
      Object.fromEntries([...joinFiles(all)].map(([key, text]) => [key, describeArguments(text)]));
    expect(describeAll(texts)).toEqual(describeAll(english));
  });

  it("has no code of a character in place of it", () => {
    const isBroken = ([, text]: readonly [string, string]) =>
      /\p{L}(?:00|20)[\da-f]{2}(?![\p{L}\d])/iu.test(text);
    expect([...joinFiles(texts)].filter(isBroken)).toEqual([]);
  });
});

it("each key is used", () => {
  const code = globSync("**/*.{ts,tsx}", { cwd: SOURCES, exclude: ["messages/arguments.d.ts"] })
    .map((path) => readFileSync(join(SOURCES, path), "utf8"))
    .join("\n");
  const literals = new Set([...code.matchAll(/"([^"\n]*)"/g)].map(([, literal]) => literal));
  // Of templates, only those that can be a key: what is put in is one name of it.
  const patterns = [...code.matchAll(/`([^`\n]+)`/g)]
    .map(([, template = ""]) => template.replace(/\$\{[^}]*\}/g, "*"))
    .filter((template) => /^[\w* -]+(?:\.[\w* -]+)+$/.test(template))
    .map((template) => new RegExp(`^${template.replaceAll(".", "\\.").replaceAll("*", "[^.]+")}$`));
  const unused = [...joinFiles(english).keys()].filter(
    (key) => !literals.has(key) && !patterns.some((pattern) => pattern.test(key)),
  );
  expect(unused).toEqual([]);
});

it("each note for translators is about a text", () => {
  expect(Object.keys(notes).filter((key) => !joinFiles(english).has(key))).toEqual([]);
});

it.each(Object.keys(LANGUAGES))("writes thousands as %s does", (language) => {
  const text = joinFiles(readTexts(language)).get("pages.of") ?? "";
  const { format } = new Intl.NumberFormat(language);
  expect(new IntlMessageFormat(text, language).format({ page: 1, pages: 20_000 })).toContain(format(20_000));
});
