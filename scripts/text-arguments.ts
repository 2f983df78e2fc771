/** Reads the texts of the console, and writes the types of their arguments. */
import { readdirSync, readFileSync } from "node:fs";
import {
  isArgumentElement,
  isNumberElement,
  isPluralElement,
  isSelectElement,
  type MessageFormatElement,
} from "@formatjs/icu-messageformat-parser";
import { flattenTexts, parseText } from "../console/compile-texts.ts";

const FOLDER = new URL("../console/src/messages/", import.meta.url);
export const ARGUMENT_TYPES = new URL("arguments.d.ts", FOLDER);

/** By file, by key. */
export type LanguageTexts = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** @param language its folder */
export function readTexts(language: string): LanguageTexts {
  const folder = new URL(`${language}/`, FOLDER);
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return new Map(
    names
      .toSorted()
      .map((name) => [
        name.replace(/\.json$/, ""),
        new Map(flattenTexts(JSON.parse(readFileSync(new URL(name, folder), "utf8")))),
      ]),
  );
}

/** @returns the types of the arguments of a text by their names, which are in the order of the alphabet */
export function listArguments(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  // A sentence can have a number as it is, and count it elsewhere.
  for (const [name, type] of findArguments(parseText(text)))
    if (type !== "Value" || !found.has(name)) found.set(name, type);
  return new Map([...found].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function findArguments(elements: readonly MessageFormatElement[]): [name: string, type: string][] {
  return elements.flatMap((element): [string, string][] => {
    if (isArgumentElement(element)) return [[element.value, "Value"]];
    if (isNumberElement(element)) return [[element.value, "number"]];
    if (!isPluralElement(element) && !isSelectElement(element)) return [];
    const type = isPluralElement(element) ? "number" : writeUnion(Object.keys(element.options));
    const inside = Object.values(element.options).flatMap(({ value }) => findArguments(value));
    return [[element.value, type], ...inside];
  });
}

const writeUnion = (options: readonly string[]): string =>
  options.map((option) => JSON.stringify(option)).join(" | ");

function writeArguments(text: string): string {
  const types = [...listArguments(text)].map(([name, type]) => `${name}: ${type}`);
  return types.length === 0 ? "null" : `{ ${types.join("; ")} }`;
}

const nameType = (file: string): string =>
  file.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** @returns the content of `ARGUMENT_TYPES`, by the English texts */
export function renderArgumentTypes(): string {
  const files = [...readTexts("en")];
  const types = files.map(([file, texts]) => {
    const lines = [...texts].map(([key, text]) => `  ${JSON.stringify(key)}: ${writeArguments(text)};`);
    return `interface ${nameType(file)} {\n${lines.join("\n")}\n}\n`;
  });
  const names = files.map(([file]) => nameType(file));
  return `// Written by \`npm run texts\` from the English texts: the arguments of each, null where it has none.

type Value = string | number;

${types.join("\n")}
/** The texts of each file. */
export interface Files {
${files.map(([file]) => `  ${JSON.stringify(file)}: ${nameType(file)};`).join("\n")}
}

export interface Texts extends ${names.join(", ")} {}
`;
}
