/** Parses the texts of the console when it is built: the browser gets what intl-messageformat writes, and no parser. */
import { isLiteralElement, type MessageFormatElement, parse } from "@formatjs/icu-messageformat-parser";
import type { Plugin } from "vite";
import { z } from "zod";

const OF_TEXTS = /\/console\/src\/messages\/[\w-]+\/[\w-]+\.json$/;

const nested = z.record(z.string(), z.union([z.string(), z.lazy((): z.ZodType => nested)]));

/** @returns the texts of a file by their keys, as `books.count` */
export function flattenTexts(json: unknown, prefix = ""): [key: string, text: string][] {
  return Object.entries(nested.parse(json)).flatMap(([name, value]): [string, string][] =>
    typeof value === "string" ? [[prefix + name, value]] : flattenTexts(value, `${prefix}${name}.`),
  );
}

/** @throws SyntaxError at what isn't ICU's MessageFormat */
export const parseText = (text: string): MessageFormatElement[] => parse(text, { ignoreTag: true });

export function compileTexts(): Plugin {
  return {
    name: "compile-texts",
    enforce: "pre",
    transform: {
      filter: { id: OF_TEXTS },
      handler: (source) =>
        JSON.stringify(
          Object.fromEntries(
            flattenTexts(JSON.parse(source)).map(([key, text]) => [key, simplify(parseText(text))]),
          ),
        ),
    },
  };
}

/** Most texts are a sentence without arguments. */
function simplify(elements: MessageFormatElement[]): MessageFormatElement[] | string {
  const [first, ...others] = elements;
  if (!first) return "";
  return others.length === 0 && isLiteralElement(first) ? first.value : elements;
}
