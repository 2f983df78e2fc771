/** Searches the titles of events and the e-mail addresses of their contacts. */
import { invalidInput } from "../../errors.ts";
import { createYielder, type Yielder } from "../../lib/event-loop.ts";
import { foldForSearch, searchPatternsOf, splitIntoWords } from "../../lib/text.ts";
import type {
  AddressesQuery,
  EventTitlesQuery,
  SearchedWord,
  TitlesMark,
} from "../../repositories/exports/download-log.ts";
import { Service } from "../shared/service.ts";

/** Maximum number of titles in a statement, because titles are its parameters. */
const MAX_TITLES = 10_000;

/** They run on worker threads: the first call reads the titles of all events. */
interface EventSearchDeps {
  titles: EventTitlesQuery;
  addresses: AddressesQuery;
}

export class EventSearch extends Service<EventSearchDeps> {
  /** The folded form by title. An event keeps its title, so a title stays although its last event may be deleted. */
  readonly #titles = new Map<string, string>();
  #mark: TitlesMark | undefined;

  /**
   * The words as a filter; undefined without words.
   * @throws AppError 400 if they match too many titles
   */
  async of(search: string | undefined): Promise<SearchedWord[] | undefined> {
    const words = splitIntoWords(search ?? "");
    if (words.length === 0) return undefined;
    await this.#update();
    const yieldToOthers = createYielder();
    const found: FoundTitles[] = [];
    for (const word of words) found.push(await this.#findTitles(word, yieldToOthers));
    if (found.reduce((sum, { titles }) => sum + titles.length, 0) > MAX_TITLES) throw tooManyTitles();
    return Promise.all(
      found.map(async ({ word, ...ofTitles }) => {
        const patterns = searchPatternsOf(word);
        return { patterns, ...ofTitles, isFrequent: await this.deps.addresses.areMostLike(patterns) };
      }),
    );
  }

  /** The titles with the word or those without it, whichever are fewer. */
  async #findTitles(word: string, yieldToOthers: Yielder): Promise<FoundTitles> {
    const present: string[] = [];
    const absent: string[] = [];
    for (const [title, folded] of this.#titles) {
      const pause = yieldToOthers();
      if (pause) await pause;
      (folded.includes(word) ? present : absent).push(title);
    }
    const isExcluded = absent.length < present.length;
    return { word, titles: isExcluded ? absent : present, isExcluded };
  }

  async #update(): Promise<void> {
    const yieldToOthers = createYielder();
    const { titles, mark } = await this.deps.titles.after(this.#mark);
    for (const title of titles) {
      this.#titles.set(title, foldForSearch(title));
      await yieldToOthers();
    }
    this.#mark = mark;
  }
}

interface FoundTitles extends Pick<SearchedWord, "titles" | "isExcluded"> {
  word: string;
}

const tooManyTitles = () =>
  invalidInput([
    {
      in: "query",
      path: "search",
      message: `matches more than ${MAX_TITLES} titles; enter more of the title`,
      code: "too_many_titles",
    },
  ]);
