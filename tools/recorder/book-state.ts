/** A book as it can be seen from outside, without what only the server knows, and what each request makes of it. */
import type { z } from "zod";
import type { bookDetails } from "../../src/schemas/books.schemas.ts";
import type { coverList } from "../../src/schemas/covers.schemas.ts";

interface FileState {
  languageCode: string;
  fileType: string;
  /** The hash of the bytes, or the address in the cloud. */
  content: string;
  isActive: 0 | 1;
}

export interface BookState {
  titleEn: string;
  isActive: 0 | 1;
  /** By language. */
  translations: Readonly<Record<string, string>>;
  /** In the order in which they were added. */
  files: readonly FileState[];
  /** Their size by language: each cover has another. */
  covers: Readonly<Record<string, string>>;
}

export const createBook = (titleEn: string): BookState => ({
  titleEn,
  isActive: 1,
  translations: {},
  files: [],
  covers: {},
});

/** @param details with the files in the order in which they were added */
export function createBookState(
  { book, translations, files }: z.output<typeof bookDetails>,
  { covers }: z.output<typeof coverList>,
): BookState {
  return {
    titleEn: book.titleEn,
    isActive: book.isActive,
    translations: sortByKey(translations.map(({ languageCode, title }) => [languageCode, title])),
    files: files.map(({ languageCode, fileType, sha256, cloudUrl, isActive }) => ({
      languageCode,
      fileType,
      content: sha256 ?? cloudUrl ?? "",
      isActive,
    })),
    covers: sortByKey(covers.map(({ languageCode, width, height }) => [languageCode, `${width}x${height}`])),
  };
}

const sortByKey = (entries: readonly (readonly [string, string])[]): Record<string, string> =>
  Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));

export const withTranslation = (book: BookState, languageCode: string, title: string): BookState => ({
  ...book,
  translations: sortByKey(Object.entries({ ...book.translations, [languageCode]: title })),
});

export const withCover = (book: BookState, languageCode: string, size: string): BookState => ({
  ...book,
  covers: sortByKey(Object.entries({ ...book.covers, [languageCode]: size })),
});

export const removeCover = (book: BookState, languageCode: string): BookState => ({
  ...book,
  covers: sortByKey(Object.entries(book.covers).filter(([code]) => code !== languageCode)),
});

/** One is active for each language and type. @returns the same book when that one has this content already */
export function withFile(book: BookState, file: Omit<FileState, "isActive">): BookState {
  const former = book.files.filter((each) => isSamePlace(each, file));
  if (former.some(({ isActive, content }) => isActive === 1 && content === file.content)) return book;
  const others = book.files.map((each) => (former.includes(each) ? { ...each, isActive: 0 as const } : each));
  return { ...book, files: [...others, { ...file, isActive: 1 }] };
}

/** A link takes the place of the link before it. */
export function withLink(book: BookState, file: Omit<FileState, "isActive">): BookState {
  const index = book.files.findIndex((former) => isSamePlace(former, file));
  if (index < 0) return withFile(book, file);
  return { ...book, files: book.files.with(index, { ...file, isActive: 1 }) };
}

export function withContent(book: BookState, index: number, content: string): BookState {
  const file = book.files[index];
  return file ? { ...book, files: book.files.with(index, { ...file, content }) } : book;
}

export const removeFile = (book: BookState, index: number): BookState => ({
  ...book,
  files: book.files.toSpliced(index, 1),
});

/** When no file is active, the newest of each language and type becomes so. */
export function restore(book: BookState): BookState {
  if (book.files.some(({ isActive }) => isActive === 1)) return { ...book, isActive: 1 };
  const files = book.files.map((file, index) => {
    const isNewest = !book.files.slice(index + 1).some((later) => isSamePlace(later, file));
    return isNewest ? { ...file, isActive: 1 as const } : file;
  });
  return { ...book, isActive: 1, files };
}

const isSamePlace = (one: Omit<FileState, "isActive">, other: Omit<FileState, "isActive">): boolean =>
  one.languageCode === other.languageCode && one.fileType === other.fileType;
