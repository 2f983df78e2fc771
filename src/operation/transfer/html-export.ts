/** Writes the published catalogue as pages without scripts: a page for each language, with the forms of all its books. */
import { copyFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { type PublicBook, publicBookList, publicLanguageList } from "../../schemas/public.schemas.ts";
import type { Services } from "../../services/index.ts";
import { makeEmptyFolder } from "./export.ts";
import { type FormOptions, renderBooks, renderLanguages, type SiteTexts } from "./html-pages.ts";

/** The public page, whose style and texts these pages have, too. */
const SITE = join(import.meta.dirname, "../../../examples/public-site");
const COPIED = ["style.css", "icon.svg", "privacy.html"];
const BOOKS_A_PAGE = 100;

const siteTexts = z.object({
  default: z.object({
    direction: z.enum(["ltr", "rtl"]),
    title: z.string(),
    intro: z.string(),
    languages: z.string(),
    allBooks: z.string(),
    wholeLanguage: z.string(),
    format: z.string(),
    firstName: z.string(),
    email: z.string(),
    marketing: z.string(),
    download: z.string(),
    privacy: z.string(),
  }),
});

interface HtmlExportDeps {
  services: Pick<Services, "publicCatalogue">;
  forms: FormOptions;
}

export class HtmlExport {
  readonly #deps: HtmlExportDeps;
  readonly #folder: string;

  /** @param folder absolute; new or empty */
  constructor(deps: HtmlExportDeps, folder: string) {
    this.#deps = deps;
    this.#folder = folder;
  }

  /**
   * @returns the number of languages with a page, and of the editions on them
   * @throws OperatorError if the folder has other files
   */
  async run(): Promise<{ languages: number; editions: number }> {
    const { services, forms } = this.#deps;
    await makeEmptyFolder(this.#folder);
    const list = await services.publicCatalogue.listLanguages();
    const { languages } = publicLanguageList.parse(JSON.parse(list.bytes.toString()));
    let count = 0;
    for (const language of languages) {
      const books = await this.#listBooks(language.code);
      await this.#write(
        `${language.code}.html`,
        renderBooks(language, books, await findTexts(language.code), forms),
      );
      count += books.length;
    }
    await this.#write("index.html", renderLanguages(languages, await findTexts("en")));
    for (const file of COPIED) await copyFile(join(SITE, file), join(this.#folder, file));
    return { languages: languages.length, editions: count };
  }

  async #listBooks(languageCode: string): Promise<PublicBook[]> {
    const books: PublicBook[] = [];
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const query = { languageCode, page, limit: BOOKS_A_PAGE };
      const { bytes } = await this.#deps.services.publicCatalogue.list(query, "");
      const list = publicBookList.parse(JSON.parse(bytes.toString()));
      books.push(...list.books);
      pages = list.pagination.totalPages;
    }
    return books;
  }

  #write(name: string, page: string): Promise<void> {
    return writeFile(join(this.#folder, name), page);
  }
}

/** The texts in a language of books; in English if the public page doesn't have it. */
async function findTexts(languageCode: string): Promise<SiteTexts> {
  const [primary = ""] = languageCode.split("-");
  const known = await readdir(join(SITE, "texts"));
  const code = known.includes(`${primary}.js`) ? primary : "en";
  const loaded: unknown = await import(pathToFileURL(join(SITE, "texts", `${code}.js`)).href);
  return { code, ...siteTexts.parse(loaded).default };
}
