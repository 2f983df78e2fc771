/** The catalogue in its simplest form: what the lists must show, said once more in few words. */
export interface ModelLanguage {
  id: number;
  code: string;
  isActive: boolean;
  parentId: number | null;
}

interface ModelFile {
  id: string;
  languageId: number;
  fileType: string;
  isLink: boolean;
  isActive: boolean;
}

export interface ModelBook {
  id: string;
  slug: string;
  titleEn: string;
  isActive: boolean;
  sortOrder: number;
  publishAt: number | null;
  unpublishAt: number | null;
  /** Titles by language. */
  titles: Map<number, string>;
  /** Those that were added last stand last. */
  files: ModelFile[];
  /** By sub-language. */
  overrides: Map<number, boolean>;
  /** `channel language` */
  places: Set<string>;
}

export interface ModelChannel {
  id: string;
  slug: string;
  isActive: boolean;
}

export class CatalogueModel {
  books: ModelBook[] = [];
  languages: ModelLanguage[] = [];
  channels: ModelChannel[] = [];
  /** In epoch milliseconds. */
  now: number;

  constructor(now: number) {
    this.now = now;
  }

  /** A file becomes the only active one of its language and type. */
  activate(book: ModelBook, file: ModelFile): void {
    for (const other of book.files)
      if (other.languageId === file.languageId && other.fileType === file.fileType) other.isActive = false;
    file.isActive = true;
  }

  restore(book: ModelBook): void {
    book.isActive = true;
    if (book.files.some(({ isActive }) => isActive)) return;
    for (const file of book.files) this.activate(book, file);
  }

  /** Everything in the language goes; its sub-languages stand alone. */
  removeLanguage({ id }: ModelLanguage): void {
    this.languages = this.languages.filter((each) => each.id !== id);
    for (const each of this.languages) if (each.parentId === id) each.parentId = null;
    for (const book of this.books) {
      book.titles.delete(id);
      book.overrides.delete(id);
      book.files = book.files.filter(({ languageId }) => languageId !== id);
      book.places = new Set([...book.places].filter((place) => !place.endsWith(` ${id}`)));
    }
  }

  removeChannel({ id }: ModelChannel): void {
    this.channels = this.channels.filter((each) => each.id !== id);
    for (const book of this.books)
      book.places = new Set([...book.places].filter((place) => !place.startsWith(`${id} `)));
  }

  isOnChannel(book: ModelBook, channel: ModelChannel, language: ModelLanguage): boolean {
    return scopeOf(language).some((id) => book.places.has(`${channel.id} ${id}`));
  }

  /** What readers are shown in a language, or in any. */
  publicList(language: ModelLanguage | undefined, channel: ModelChannel | undefined) {
    return this.inOrder(true).flatMap((book) => {
      const languages = this.languages.filter((each) => this.isPublished(book, each, channel));
      const isShown = language ? languages.includes(language) : languages.length > 0;
      if (!isShown) return [];
      const title = language && scopeOf(language).flatMap((id) => book.titles.get(id) ?? [])[0];
      const codes = languages.map(({ code }) => code).sort();
      const files = (language ? [language] : languages)
        .flatMap((each) => filesIn(book, each))
        .map(({ id }) => id);
      return [
        { id: book.id, slug: book.slug, title: title ?? book.titleEn, languages: codes, files: files.sort() },
      ];
    });
  }

  /** What administrators are shown of a language, or of all. */
  adminList(language: ModelLanguage | undefined) {
    return this.inOrder().flatMap((book) => {
      const used = this.languages.filter(
        ({ id }) => book.titles.has(id) || book.files.some(({ languageId }) => languageId === id),
      );
      if (language && !used.includes(language)) return [];
      const filesCount = book.files.filter(({ isActive }) => isActive).length;
      const counts = { translationsCount: book.titles.size, filesCount };
      const { id, slug, titleEn, sortOrder, isActive } = book;
      return [
        { id, slug, titleEn, sortOrder, isActive, ...counts, languages: used.map(({ code }) => code).sort() },
      ];
    });
  }

  /** Which active books are on which channels in a language. */
  matrix(language: ModelLanguage) {
    return this.inOrder(true).map((book) => ({
      id: book.id,
      channels: this.channels
        .filter((channel) => this.isOnChannel(book, channel, language))
        .map(({ id }) => id)
        .sort(),
    }));
  }

  inOrder(onlyActive = false): ModelBook[] {
    return this.books
      .filter(({ isActive }) => isActive || !onlyActive)
      .toSorted((one, other) => one.sortOrder - other.sortOrder || (one.id < other.id ? -1 : 1));
  }

  isPublished(book: ModelBook, language: ModelLanguage, channel: ModelChannel | undefined): boolean {
    return (
      language.isActive &&
      this.now >= (book.publishAt ?? -Infinity) &&
      this.now < (book.unpublishAt ?? Infinity) &&
      filesIn(book, language).length > 0 &&
      (language.parentId === null || book.overrides.get(language.id) !== false) &&
      (channel === undefined || this.isOnChannel(book, channel, language))
    );
  }
}

const scopeOf = ({ id, parentId }: ModelLanguage): number[] => (parentId === null ? [id] : [id, parentId]);

/** Its own, else those of the language that it inherits from. */
function filesIn({ files }: ModelBook, language: ModelLanguage): ModelFile[] {
  const active = files.filter(({ isActive }) => isActive);
  const byLanguage = scopeOf(language).map((id) => active.filter(({ languageId }) => languageId === id));
  return byLanguage.find((found) => found.length > 0) ?? [];
}
