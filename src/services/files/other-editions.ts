/** Whether what a file says is of another book, for places that know no title or ISBN to compare it with. */
import { areRelatedLanguages } from "../../lib/related-languages.ts";
import { foldForSearch } from "../../lib/text.ts";
import type { MixUpsRepository, OtherEdition } from "../../repositories/mix-ups.repository.ts";
import type { Said } from "./said.ts";

/** What a content says, and its place. */
interface SaidAt {
  said: Said;
  bookId: string;
  languageCode: string;
  /** Of the edition in the place; null: there is nothing to compare. */
  title: string | null;
  isbn: string | null;
}

const titleOf = ({ said, title }: SaidAt): string[] =>
  title === null && said.title !== null ? [foldForSearch(said.title)] : [];
const isbnOf = ({ said, isbn }: SaidAt): string[] => (isbn === null && said.isbn !== null ? [said.isbn] : []);

export class OtherEditions {
  readonly #byTitle: ReadonlyMap<string, OtherEdition[]>;
  readonly #byIsbn: ReadonlyMap<string | null, OtherEdition[]>;

  private constructor(editions: readonly OtherEdition[]) {
    this.#byTitle = Map.groupBy(editions, ({ title }) => title);
    this.#byIsbn = Map.groupBy(editions, ({ isbn }) => isbn);
  }

  /** Reads nothing if each place has a title and an ISBN, or its file doesn't say them. */
  static async read(
    rows: Pick<MixUpsRepository, "findEditions">,
    files: readonly SaidAt[],
  ): Promise<OtherEditions> {
    const titles = [...new Set(files.flatMap(titleOf))].filter((title) => title !== "");
    const isbns = [...new Set(files.flatMap(isbnOf))];
    const isNeeded = titles.length + isbns.length > 0;
    return new OtherEditions(isNeeded ? await rows.findEditions(titles, isbns) : []);
  }

  /** Whether another book has the title in the language of the place, and the ISBN. */
  find(file: SaidAt): { title: boolean; isbn: boolean } {
    return { title: this.#haveTitle(file), isbn: this.#haveIsbn(file) };
  }

  #haveTitle(file: SaidAt): boolean {
    return titleOf(file)
      .flatMap((title) => this.#byTitle.get(title) ?? [])
      .some(
        ({ bookId, languageCode }) =>
          bookId !== file.bookId && areRelatedLanguages(languageCode, file.languageCode),
      );
  }

  #haveIsbn(file: SaidAt): boolean {
    return isbnOf(file)
      .flatMap((isbn) => this.#byIsbn.get(isbn) ?? [])
      .some(({ bookId }) => bookId !== file.bookId);
  }
}
