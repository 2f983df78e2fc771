/** What pages outside of the library show of the organisation: problem pages, and the small pages of the server. */
import { findDirection } from "../../lib/bcp47.ts";
import { choosePageLanguage, type PageLanguages } from "../../library/page-languages.ts";
import { type Look, PLAIN_LOOK } from "../../library/shell.ts";
import { Service } from "../shared/service.ts";
import type { LibraryLogo, LibraryReader } from "./library-reader.ts";
import type { LibraryStyle } from "./library-style.ts";

interface LibraryLooksDeps {
  libraryReader: LibraryReader;
  style: LibraryStyle;
  pageLanguages: PageLanguages;
  hasLibrary: boolean;
}

export class LibraryLooks extends Service<LibraryLooksDeps> {
  /** As last read, by the language of the page. */
  readonly #last = new Map<string, Look>();

  /**
   * @param languageCode of the page's own texts, of which there are few
   * @param mayWait whether the database may be asked; otherwise, or if it doesn't respond, what was there last
   */
  async read(languageCode: string, mayWait: boolean): Promise<Look> {
    const last = this.#last.get(languageCode) ?? { ...PLAIN_LOOK, stylePath: this.deps.style.lastPath };
    if (!mayWait) return last;
    const look = await this.#describe(languageCode).catch(() => last);
    this.#last.set(languageCode, look);
    return look;
  }

  async #describe(languageCode: string): Promise<Look> {
    const { libraryReader, style, hasLibrary, pageLanguages } = this.deps;
    const { logo, accent } = await libraryReader.readLibrary();
    const { name: text, languages } = await libraryReader.readTexts(languageCode);
    const stylePath = style.pathFor(accent);
    const direction = findDirection(languageCode);
    const name = { text, code: languageCode, direction, ...languages.name };
    // Otherwise its pages, and the logo, aren't there.
    if (!hasLibrary) return { stylePath, logoPath: undefined, name };
    const { library } = choosePageLanguage([languageCode], pageLanguages).texts;
    const title = { text: library?.title ?? "", code: languageCode, direction };
    return { stylePath, logoPath: logoPathOf(logo), name: text === "" ? title : name };
  }
}

/** Relative to `/`. */
export const logoPathOf = (logo: LibraryLogo | null): string | undefined =>
  logo ? `library/logo-${logo.sha256}.png` : undefined;
