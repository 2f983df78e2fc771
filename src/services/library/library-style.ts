/** The style sheet of readers' pages, with the colour of the organisation. */
import { createHash } from "node:crypto";

/** Readable on the backgrounds of the style sheet. */
interface Accent {
  light: string;
  dark: string;
}

interface StyleSheet {
  mediaType: string;
  text: string;
}

const HASH_LENGTH = 16;

export class LibraryStyle {
  readonly #sheet: string;
  #accent: Accent;
  #current: { hash: string; document: StyleSheet };

  /** @param sheet uses `--accent` */
  constructor(sheet: string, accent: Accent) {
    this.#sheet = sheet;
    this.#accent = accent;
    this.#current = this.#compose(accent);
  }

  /** For pages that can't wait for the database: that of the last page before. Relative to `/`. */
  get lastPath(): string {
    return `library/style-${this.#current.hash}.css`;
  }

  /** Relative to `/`. */
  pathFor(accent: Accent): string {
    this.#choose(accent);
    return this.lastPath;
  }

  /** `isCurrent` if it is the one of the hash, by which it can be kept. Without a colour, the last one counts. */
  read(hash: string, accent: Accent | undefined): { document: StyleSheet; isCurrent: boolean } {
    if (accent) this.#choose(accent);
    const { document, hash: current } = this.#current;
    return { document, isCurrent: hash === current };
  }

  #choose(accent: Accent): void {
    if (accent.light === this.#accent.light && accent.dark === this.#accent.dark) return;
    this.#accent = accent;
    this.#current = this.#compose(accent);
  }

  #compose({ light, dark }: Accent) {
    const own = `:root{--accent:${light}}@media(prefers-color-scheme:dark){:root{--accent:${dark}}}`;
    const text = `${own}\n${this.#sheet}`;
    const hash = createHash("sha256").update(text).digest("hex").slice(0, HASH_LENGTH);
    return { hash, document: { mediaType: "text/css; charset=utf-8", text } };
  }
}
