/** `<book-library>`: begins when it comes near the view, and anew when an attribute changes. */
import { make } from "./dom.ts";
import { Library, type Settings } from "./library.ts";
import { findService, readAddress, Service } from "./service.ts";

const ADDRESS = /\/api\/widget\.js(?:[?#]|$)/;
/** A module has no `currentScript`, and one that a page's plug-in has combined with others has another address. */
const scripts = [document.currentScript, ...document.scripts];
const addresses = scripts.map((script) => (script instanceof HTMLScriptElement ? script.src : ""));
const scriptAddress = addresses.find((address) => ADDRESS.test(address));

const ATTRIBUTES = "language languages channel book search limit text-version privacy-url service";
const DEFAULT_LIMIT = 24;

const sheet = new CSSStyleSheet();
sheet.replaceSync(STYLE);

class BookLibrary extends HTMLElement {
  static readonly observedAttributes = ATTRIBUTES.split(" ");

  readonly #root = this.attachShadow({ mode: "open" });
  /** An element begins before it is reached, so that its books are there then. */
  readonly #observer = new IntersectionObserver(
    (entries) => entries.some(({ isIntersecting }) => isIntersecting) && this.#begin(),
    { rootMargin: "600px" },
  );
  /** Ends what the element does; undefined before it has begun. */
  #running: AbortController | undefined;

  constructor() {
    super();
    this.#root.adoptedStyleSheets = [sheet];
    this.#root.append(make("slot", ""));
  }

  connectedCallback(): void {
    this.#observer.observe(this);
  }

  disconnectedCallback(): void {
    this.#observer.disconnect();
    this.#running?.abort();
    this.#running = undefined;
  }

  /** Several changes at once are one. */
  attributeChangedCallback(): void {
    const running = this.#running;
    if (running) queueMicrotask(() => running === this.#running && this.#begin());
  }

  #begin(): void {
    this.#observer.disconnect();
    this.#running?.abort();
    this.#running = new AbortController();
    const { signal } = this.#running;
    const address = findService(this.#read("service"), scriptAddress);
    if (address !== undefined) {
      const place = { host: this, root: this.#root, settings: this.#settings, signal };
      return void new Library({ ...place, service: new Service(address, signal) }).open();
    }
    this.#root.replaceChildren(make("slot", ""));
    console.error(
      '<book-library>: the address of the service isn\'t known. Add it to the element: service="https://books.example.org"',
    );
  }

  /** An empty attribute is none. Links of the service to a book on a page have both in the page's address. */
  #read(name: string): string | null {
    const linked = /^(?:book|language)$/.test(name) && new URLSearchParams(location.search).get(name);
    return this.getAttribute(name)?.trim() || linked || null;
  }

  get #settings(): Settings {
    const limit = Number(this.#read("limit"));
    return {
      language: this.#read("language"),
      languages: this.#read("languages")
        ?.toLowerCase()
        .split(/[\s,]+/),
      channel: this.#read("channel"),
      book: this.#read("book"),
      search: this.#read("search"),
      limit: Number.isInteger(limit) && limit > 0 ? limit : DEFAULT_LIMIT,
      textVersion: this.#read("text-version"),
      privacyUrl: readAddress(this.#read("privacy-url")),
    };
  }
}

if (!customElements.get("book-library")) customElements.define("book-library", BookLibrary);
