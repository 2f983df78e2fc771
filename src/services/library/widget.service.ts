/** What a page with `<book-library>` loads besides books: the script, and its texts in the reader's language. */
import type { WidgetSource } from "../../adapters/widget-source.ts";
import { notFound } from "../../errors.ts";
import { findDirection } from "../../lib/bcp47.ts";
import { type CachedJson, encodeJson } from "../../lib/entity-tag.ts";
import type { PageLanguages } from "../../library/page-languages.ts";
import type { PageTexts } from "../../schemas/page-texts.schemas.ts";
import {
  type AnyWidgetTexts,
  anyWidgetTexts,
  type WidgetTexts,
  widgetTexts,
} from "../../schemas/widget.schemas.ts";

interface WidgetServiceDeps {
  pageLanguages: PageLanguages;
  readWidgetSource: () => Promise<WidgetSource>;
}

export class WidgetService {
  readonly #readSource: () => Promise<WidgetSource>;
  /** By code, of the languages that have all texts. */
  readonly #texts: ReadonlyMap<string, WidgetTexts>;
  /** By code in lower case. */
  readonly #encoded: ReadonlyMap<string, CachedJson<AnyWidgetTexts>>;
  #script: { mediaType: string; text: string; contentSecurityPolicy: string } | undefined;

  constructor({ pageLanguages, readWidgetSource }: WidgetServiceDeps) {
    this.#readSource = readWidgetSource;
    this.#texts = new Map(
      [...pageLanguages.byCode.values()].flatMap(({ code, texts }) => {
        const own = selectTexts(texts, pageLanguages.fallback.texts);
        return own ? [[code, own] as const] : [];
      }),
    );
    this.#encoded = new Map(
      [...this.#texts].map(([code, own]) => [code.toLowerCase(), encodeJson(anyWidgetTexts.parse(own))]),
    );
  }

  /** The same object each time. */
  async readScript() {
    const { script, style } = await this.#readSource();
    this.#script ??= {
      mediaType: "text/javascript; charset=utf-8",
      text: this.#compose(script, style),
      // As a document, it does nothing.
      contentSecurityPolicy: "default-src 'none'; sandbox",
    };
    return this.#script;
  }

  /** @throws AppError 404 for a language without texts */
  async readTexts(code: string): Promise<CachedJson<AnyWidgetTexts>> {
    const texts = this.#encoded.get(code.toLowerCase());
    if (!texts) throw notFound("not_found", "There are no texts in this language.");
    return texts;
  }

  /** In a function, so that no name of it is one of the page's. */
  #compose(script: string, style: string): string {
    const directions = Object.fromEntries([...this.#texts.keys()].map((code) => [code, findDirection(code)]));
    const given = { ENGLISH: this.#texts.get("en"), DIRECTIONS: directions, STYLE: style };
    const constants = Object.entries(given).map(
      ([name, value]) => `const ${name} = ${JSON.stringify(value)};`,
    );
    return `(() => {\n"use strict";\n${constants.join("\n")}\n${script}\n})();\n`;
  }
}

/** Undefined for a language of the operator's own without all of them. It may lack those of letters. */
function selectTexts(
  { library, site, letters, busy, unavailable }: PageTexts,
  english: PageTexts,
): WidgetTexts | undefined {
  const {
    heading: mailHeading,
    text: mailText,
    button: mailButton,
  } = (letters ?? english.letters)?.lookIntoMail ?? {};
  const messages = { mailHeading, mailText, mailButton, busy: busy.text, unavailable: unavailable.text };
  return widgetTexts.safeParse({ ...library, ...site, ...messages }).data;
}
