/** The books of one element: their languages, the list, the search, and the buttons that open the form. */
import { chooseLanguage } from "../src/lib/choose-language.ts";
import type * as Api from "../src/schemas/public.schemas.ts";
import { make, makeButton, makeTitle } from "./dom.ts";
import { type FormSettings, RequestForm, type Wanted } from "./request-form.ts";
import { ForeignPage, type Service } from "./service.ts";
import { loadWords, Words } from "./words.ts";

/** The attributes of the element. */
export interface Settings extends FormSettings {
  language: string | null;
  /** In lower case: the only ones that can be chosen, or `none`. */
  languages: readonly string[] | undefined;
  channel: string | null;
  /** The slug of the only book. */
  book: string | null;
  /** `none`, or the words with which the search begins. */
  search: string | null;
  limit: number;
}

/** Where the books are shown, and by what. */
interface Place {
  host: HTMLElement;
  root: ShadowRoot;
  settings: Settings;
  service: Service;
  signal: AbortSignal;
}

type Format = Api.PublicBook["files"][number];

const COVER_WIDTHS = [160, 320, 640];
const SEARCH = { type: "search", id: "search", autocomplete: "off", maxLength: 100 } as const;
const TYPING_MS = 300;

const pathOf = (slug: string, code = ""): string =>
  `/api/books/${encodeURIComponent(slug)}${code && `?languageCode=${encodeURIComponent(code)}`}`;

export class Library {
  readonly #place: Place;
  #words = new Words("en", ENGLISH);
  #languages: Api.PublicLanguageList["languages"] = [];
  #language: Api.PublicLanguageList["languages"][number] | undefined;
  /** Ends the list that is being loaded, which would otherwise replace a newer one. */
  #loading = new AbortController();
  #form: RequestForm | undefined;
  readonly #status = make("p", "status", { role: "status" });
  readonly #list = make("ul", "list", { role: "list" });
  readonly #more = make("p", "actions");
  readonly #search = make("input", "input search", SEARCH);

  constructor(place: Place) {
    this.#place = place;
    const { search } = place.settings;
    if (search !== "none") this.#search.value = search ?? "";
    let typing: ReturnType<typeof setTimeout> | undefined;
    this.#search.oninput = () => {
      clearTimeout(typing);
      typing = setTimeout(() => void this.#attempt(() => this.#load(1)), TYPING_MS);
    };
  }

  /** Never rejects: what goes wrong is shown. */
  async open(): Promise<void> {
    const { service, settings, signal } = this.#place;
    this.#words = await loadWords(this.#wanted, service);
    if (signal.aborted) return;
    this.#build();
    await this.#attempt(async () => {
      const [{ languages }, only] = await Promise.all([
        service.call<Api.PublicLanguageList>("/api/languages"),
        settings.book === null ? undefined : service.call<Api.PublicBookDetails>(pathOf(settings.book)),
      ]);
      const offered = settings.languages?.[0] === "none" ? undefined : settings.languages;
      this.#languages = languages.filter(({ code }) => {
        const isOffered = offered?.includes(code.toLowerCase()) ?? true;
        return isOffered && (only?.languages.includes(code) ?? true);
      });
      const codes = this.#languages.map(({ code }) => code);
      await this.#choose(chooseLanguage(this.#wanted, codes) ?? (only ? codes[0] : undefined));
    });
  }

  /** Language codes by preference: of the element, else of the page and the browser. */
  get #wanted(): readonly string[] {
    const { host, settings } = this.#place;
    const ofPage = host.closest<HTMLElement>("[lang]")?.lang ?? "";
    return settings.language ? [settings.language] : [ofPage, ...navigator.languages];
  }

  /** Shows the books of a language, in whose words the element speaks where it has them. */
  async #choose(code: string | undefined): Promise<void> {
    const { service, settings, signal } = this.#place;
    this.#language = this.#languages.find((each) => each.code === code);
    this.#words = await loadWords([code ?? "", ...this.#wanted, ...navigator.languages], service);
    if (signal.aborted || this.#language?.code !== code) return;
    this.#build();
    if (this.#language) return await this.#load(1);
    const reason = settings.language ? "emptyLanguage" : "chooseLanguage";
    this.#status.textContent = this.#words.say(this.#languages.length === 0 ? "noBooks" : reason);
  }

  #build(): void {
    const { host, root, service, settings } = this.#place;
    const { code: lang, direction: dir } = this.#words;
    const note = (name: string, { slug, languageCode }: Wanted) => {
      const detail = { slug: slug ?? null, language: languageCode };
      const options = { detail, bubbles: true, composed: true };
      host.dispatchEvent(new CustomEvent(`book-library-${name}`, options));
    };
    this.#form = new RequestForm({ words: this.#words, service, settings, note });
    this.#list.replaceChildren();
    this.#more.replaceChildren();
    const bar = make("div", "bar", {}, ...this.#makeChoice(), ...this.#makeSearch());
    const all = [bar, this.#status, this.#list, this.#more, this.#form.dialog];
    root.replaceChildren(make("div", "library", { lang, dir }, ...all));
  }

  #makeChoice(): HTMLElement[] {
    if (this.#place.settings.languages?.[0] === "none" || this.#languages.length < 2) return [];
    const options = this.#languages.map(({ code, nativeName }) => {
      const selected = code === this.#language?.code;
      return Object.assign(new Option(nativeName, code), { lang: code, selected });
    });
    if (!this.#language) options.unshift(new Option("", "", true, true));
    const select = make("select", "input languages", { id: "languages" }, ...options);
    select.onchange = async () => {
      await this.#attempt(() => this.#choose(select.value));
      this.#place.root.getElementById("languages")?.focus();
    };
    const text = { htmlFor: select.id, textContent: this.#words.say("languages") };
    return [make("div", "field", {}, make("label", "label", text), select)];
  }

  #makeSearch(): HTMLElement[] {
    const { search, book } = this.#place.settings;
    if (search === "none" || book !== null || !this.#language) return [];
    const text = { htmlFor: this.#search.id, textContent: this.#words.say("findBook") };
    return [make("div", "field", {}, make("label", "label", text), this.#search)];
  }

  /** Shows why something can't be loaded, with a button to try again. */
  async #attempt(load: () => Promise<void>): Promise<void> {
    const { service, signal } = this.#place;
    this.#status.textContent = this.#words.say("loading");
    try {
      await load();
    } catch (error) {
      const isOutdated = error instanceof DOMException && error.name === "AbortError";
      const reason = isOutdated || signal.aborted ? undefined : await service.explain(error);
      if (reason && !signal.aborted) this.#fail(reason, load);
    }
  }

  #fail(error: unknown, load: () => Promise<void>): void {
    const { address } = this.#place.service;
    const link = make("slot", "", {}, make("a", "link", { href: `${address}/`, textContent: address }));
    const retry = makeButton("retry", this.#words.say("retry"), () => void this.#attempt(load));
    const isForeign = error instanceof ForeignPage;
    const said = isForeign ? [this.#words.say("elsewhere")] : [this.#words.reason(error), " ", retry];
    this.#status.replaceChildren(...said, " ", link);
    if (isForeign)
      console.error(
        `<book-library>: ${address} doesn't let this page read its books. Add the page to .env of the service: CORS_ORIGINS=${location.origin}`,
      );
  }

  async #load(page: number): Promise<void> {
    this.#loading.abort();
    this.#loading = new AbortController();
    const { books, pagination } = await this.#read(page, this.#loading.signal);
    const { book: only, channel } = this.#place.settings;
    const { total, totalPages } = pagination;
    const words = this.#words;
    const items = books.map((book) => this.#makeItem(book));
    if (page === 1) this.#list.replaceChildren();
    this.#list.append(...items);
    const none = words.say(this.#search.value.trim() === "" ? "emptyLanguage" : "noMatch");
    const count = total === 0 ? none : words.count(total);
    this.#status.textContent = only === null ? count : "";
    const next = () => void this.#attempt(() => this.#load(page + 1));
    const more = page < totalPages ? makeButton("more", words.say("more"), next) : "";
    // The ZIP has all books of the language, not those of a channel.
    const whole = only === null && channel === null && total > 0 ? this.#makeWhole() : "";
    this.#more.replaceChildren(more, whole);
    if (page > 1) items[0]?.querySelector("button")?.focus();
  }

  async #read(page: number, signal: AbortSignal): Promise<Pick<Api.PublicBookList, "books" | "pagination">> {
    const { service, settings } = this.#place;
    const { book: slug, channel, limit } = settings;
    const { code = "" } = this.#language ?? {};
    if (slug !== null) {
      const { files: all, ...book } = await service.call<Api.PublicBook>(pathOf(slug, code), { signal });
      // A book alone has its files in all languages; some can be those of the parent language.
      const files = all.filter(({ languageCode }) => `${code}-`.startsWith(`${languageCode}-`));
      return { books: [{ ...book, files }], pagination: { page, limit, total: 1, totalPages: 1 } };
    }
    const search = this.#search.value.trim();
    const query = new URLSearchParams({ languageCode: code, page: String(page), limit: String(limit) });
    if (search !== "") query.set("search", search);
    if (channel !== null) query.set("channel", channel);
    return await service.call<Api.PublicBookList>(`/api/books?${query}`, { signal });
  }

  #makeItem(book: Api.PublicBook): HTMLElement {
    const { host, service } = this.#place;
    const { code: lang = "", direction: dir = "ltr" } = this.#language ?? {};
    const cover = (width: number) => `${service.address}${book.coverUrl}&width=${width}`;
    const image = make("img", "cover", {
      alt: "",
      loading: "lazy",
      decoding: "async",
      width: 320,
      height: 480,
      // As style.css has them: at 12rem, a phone would load four times the bytes that it shows.
      sizes: "(max-width: 30rem) 6rem, 12rem",
      srcset: COVER_WIDTHS.map((width) => `${cover(width)} ${width}w`).join(", "),
      src: cover(320),
    });
    const texts = { authors: book.authors.join(", "), description: book.description };
    const lines = Object.entries(texts).filter(([, text]) => text !== "");
    const buttons = book.files.map((file) => this.#makeFormat(file, book));
    const formats = { lang: this.#words.code, dir: this.#words.direction };
    const details = [
      makeTitle(host, book.title),
      ...lines.map(([part, textContent]) => make("p", part, { textContent })),
      make("p", "actions formats", formats, ...buttons),
    ];
    return make("li", "book", { lang, dir }, image, make("div", "details", {}, ...details));
  }

  #makeFormat({ fileType, fileSizeBytes }: Format, { slug, title }: Api.PublicBook): HTMLElement {
    const text = `${fileType.toUpperCase()} ${this.#words.size(fileSizeBytes)}`.trim();
    const wanted = { slug, languageCode: this.#language?.code ?? "", fileType };
    const button = this.#makeAsk("format", text, wanted, title);
    button.ariaLabel = `${text}: ${title}`;
    return button;
  }

  #makeWhole(): HTMLElement {
    const { code: languageCode = "", nativeName = "" } = this.#language ?? {};
    const heading = this.#words.say("allBooks", nativeName);
    return this.#makeAsk("whole", this.#words.say("wholeLanguage"), { languageCode }, heading);
  }

  #makeAsk(part: string, text: string, wanted: Wanted, heading: string): HTMLButtonElement {
    const button = makeButton(part, text, () => this.#form?.open(wanted, heading, button));
    return button;
  }
}
