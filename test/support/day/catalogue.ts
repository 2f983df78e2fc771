/** The books that the readers of a day find, and what of them each language has, written down by hand. */
import { expect } from "vitest";
import type { Client } from "../client.ts";

const LANGUAGES = [
  { code: "en", name: "English", legacyDownloadCount: 900 },
  { code: "es", name: "Spanish", legacyDownloadCount: 0 },
  { code: "sw", name: "Swahili", legacyDownloadCount: 40 },
  { code: "hi", name: "Hindi", legacyDownloadCount: 0 },
  { code: "pt", name: "Portuguese", legacyDownloadCount: 0 },
  { code: "pt-BR", name: "Brazilian Portuguese", legacyDownloadCount: 7, parent: "pt" },
];

const BOOKS = [
  { slug: "the-well", titleEn: "The Well", legacyDownloadCount: 120, files: ["en", "es", "sw", "hi", "pt"] },
  { slug: "the-tree", titleEn: "The Tree", legacyDownloadCount: 0, files: ["en", "es", "pt", "pt-BR"] },
  { slug: "the-bird", titleEn: "The Bird", legacyDownloadCount: 0, files: ["en", "pt"] },
  { slug: "the-river", titleEn: "The River", legacyDownloadCount: 3, files: ["en", "sw", "pt-BR"] },
  { slug: "the-stone", titleEn: "The Stone", legacyDownloadCount: 0, files: ["en"] },
  { slug: "the-lamp", titleEn: "The Lamp", legacyDownloadCount: 5, files: [] },
];

/** Brazil has the Portuguese books but one, its own edition of another, and a book of its own. */
const HIDDEN = { languageCode: "pt-BR", slug: "the-bird" };

/** What a reader of a language can have, in the order of the language's ZIP. */
export const OFFERS: Readonly<Record<string, readonly string[]>> = {
  en: ["the-well", "the-tree", "the-bird", "the-river", "the-stone"],
  es: ["the-well", "the-tree"],
  sw: ["the-well", "the-river"],
  hi: ["the-well"],
  pt: ["the-well", "the-tree", "the-bird"],
  "pt-BR": ["the-well", "the-tree", "the-river"],
};

export interface DayBook {
  id: string;
  slug: string;
  titleEn: string;
  legacyDownloadCount: number;
}

export interface DayLanguage {
  id: number;
  code: string;
  name: string;
  legacyDownloadCount: number;
}

export class DayCatalogue {
  readonly books: readonly DayBook[];
  readonly languages: readonly DayLanguage[];

  private constructor(books: readonly DayBook[], languages: readonly DayLanguage[]) {
    this.books = books;
    this.languages = languages;
  }

  /** Puts it into an empty service. */
  static async open(admin: Client): Promise<DayCatalogue> {
    const languages: DayLanguage[] = [];
    for (const { parent, ...language } of LANGUAGES) {
      const parentId = languages.find(({ code }) => code === parent)?.id;
      const body = { ...language, nativeName: language.name, ...(parentId && { parentId }) };
      languages.push({ ...language, id: (await created(admin, "/api/admin/languages", body)).id });
    }
    const books: DayBook[] = [];
    for (const { files, ...book } of BOOKS) {
      const { id } = await created(admin, "/api/admin/books", book);
      books.push({ ...book, id });
      for (const languageCode of files) await addFile(admin, id, languageCode);
    }
    const catalogue = new DayCatalogue(books, languages);
    const overrides = [{ bookId: catalogue.book(HIDDEN.slug).id, isVisible: false }];
    const path = `/api/admin/languages/${catalogue.language(HIDDEN.languageCode).id}/books`;
    expect((await admin.put(path, { overrides })).status).toBe(200);
    return catalogue;
  }

  book(slug: string): DayBook {
    return known(this.books.find((book) => book.slug === slug));
  }

  language(code: string): DayLanguage {
    return known(this.languages.find((language) => language.code === code));
  }
}

async function created(admin: Client, path: string, body: object) {
  const response = await admin.post(path, body);
  expect(response.status, JSON.stringify(response.body)).toBe(201);
  return response.body;
}

async function addFile(admin: Client, bookId: string, languageCode: string): Promise<void> {
  const response = await admin.upload("post", `/api/admin/books/${bookId}/files`, {
    fields: { languageCode, fileType: "txt" },
    file: { bytes: Buffer.from(`A book in ${languageCode}, ${bookId}`), name: `${languageCode}.txt` },
  });
  expect(response.status).toBe(201);
}

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("The catalogue of the day doesn't have it");
  return value;
}
