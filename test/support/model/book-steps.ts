/** Steps that concern books, their translations and files. */
import { expect } from "vitest";
import { bodyOf } from "../client.ts";
import type { CatalogueModel, ModelBook } from "./catalogue-model.ts";
import type { StepKind } from "./steps.ts";

const BOOKS = "/api/admin/books";
const TYPES = ["txt", "pdf"] as const;
/** Never the same bytes twice: those of the active file change nothing. */
const CONTENTS = {
  txt: (number: number) => `The text of the book, version ${number}.`,
  pdf: (number: number) => `%PDF-1.7\n%${number}\n%%EOF\n`,
};

const hasBooks = ({ books }: CatalogueModel) => books.length > 0;
const hasBoth = ({ books, languages }: CatalogueModel) => books.length > 0 && languages.length > 0;
const withFiles = ({ books }: CatalogueModel) => books.filter(({ files }) => files.length > 0);
const withTitles = ({ books }: CatalogueModel) => books.filter(({ titles }) => titles.size > 0);

const newBook = (body: Pick<ModelBook, "id" | "slug" | "titleEn" | "sortOrder">): ModelBook => ({
  id: body.id,
  slug: body.slug,
  titleEn: body.titleEn,
  sortOrder: body.sortOrder,
  publishAt: null,
  unpublishAt: null,
  isActive: true,
  titles: new Map(),
  files: [],
  overrides: new Map(),
  places: new Set(),
});

export const bookSteps: Readonly<Record<string, StepKind>> = {
  createBook: {
    weight: 4,
    async run({ model, admin, number }) {
      model.books.push(newBook(await bodyOf(admin.post(BOOKS, { titleEn: `Book ${number}` }), 201)));
    },
  },
  updateBook: {
    can: hasBooks,
    async run({ model, admin, pick, number }) {
      const book = pick(model.books);
      const sortOrder = (number % 7) - 1;
      await bodyOf(admin.put(`${BOOKS}/${book.id}`, { titleEn: `Other ${number}`, sortOrder }));
      Object.assign(book, { titleEn: `Other ${number}`, sortOrder });
    },
  },
  moveBook: {
    can: hasBooks,
    async run({ model, admin, pick, number }) {
      const book = pick(model.books);
      const sortOrder = number % 9;
      await bodyOf(admin.patch(`${BOOKS}/reorder`, { moves: [{ bookId: book.id, sortOrder }] }));
      book.sortOrder = sortOrder;
    },
  },
  archiveBook: {
    weight: 2,
    can: hasBooks,
    async run({ model, admin, pick }) {
      const book = pick(model.books);
      await bodyOf(admin.delete(`${BOOKS}/${book.id}`));
      book.isActive = false;
    },
  },
  restoreBook: {
    weight: 3,
    can: hasBooks,
    async run({ model, admin, pick, number }) {
      const archived = model.books.filter(({ isActive }) => !isActive);
      const book = pick(archived.length > 0 && number % 4 > 0 ? archived : model.books);
      await bodyOf(admin.post(`${BOOKS}/${book.id}/restore`), book.isActive ? 409 : 200);
      if (!book.isActive) model.restore(book);
    },
  },
  removeBook: {
    can: hasBooks,
    async run({ model, admin, pick }) {
      const book = pick(model.books);
      await bodyOf(admin.delete(`${BOOKS}/${book.id}?permanent=true`));
      model.books = model.books.filter((each) => each !== book);
    },
  },
  translate: {
    weight: 3,
    can: hasBoth,
    async run({ model, admin, pick, number }) {
      const book = pick(model.books);
      const { id: languageId } = pick(model.languages);
      const body = { languageId, title: `Title ${number}` };
      const status = book.titles.has(languageId) ? 200 : 201;
      await bodyOf(admin.post(`${BOOKS}/${book.id}/translations`, body), status);
      book.titles.set(languageId, body.title);
    },
  },
  removeTranslation: {
    can: (model) => withTitles(model).length > 0,
    async run({ model, admin, pick }) {
      const book = pick(withTitles(model));
      const languageId = pick([...book.titles.keys()]);
      await bodyOf(admin.delete(`${BOOKS}/${book.id}/translations/${languageId}`));
      book.titles.delete(languageId);
    },
  },
  uploadFile: {
    weight: 8,
    can: hasBoth,
    async run({ model, admin, pick, number }) {
      const book = pick(model.books);
      const { id: languageId, code: languageCode } = pick(model.languages);
      const fileType = pick(TYPES);
      const file = { bytes: Buffer.from(CONTENTS[fileType](number)), name: `book.${fileType}` };
      const form = { fields: { languageCode, fileType }, file };
      const { id } = await bodyOf(admin.upload("post", `${BOOKS}/${book.id}/files`, form), 201);
      const added = { id, languageId, fileType, isLink: false, isActive: true };
      model.activate(book, added);
      book.files.push(added);
    },
  },
  linkFile: {
    weight: 3,
    can: hasBoth,
    async run({ model, admin, pick, number }) {
      const book = pick(model.books);
      const { id: languageId, code: languageCode } = pick(model.languages);
      const fileType = pick(TYPES);
      const link = { ...linkTo(number), languageCode, fileType };
      const { id } = await bodyOf(admin.post(`${BOOKS}/${book.id}/files`, link), 201);
      const added = { id, languageId, fileType, isLink: true, isActive: true };
      model.activate(book, added);
      book.files.push(added);
    },
  },
  switchFile: {
    weight: 3,
    can: (model) => withFiles(model).length > 0,
    async run({ model, admin, pick, number }) {
      const book = pick(withFiles(model));
      const file = pick(book.files);
      const isActive = number % 2;
      await bodyOf(admin.patch(`${BOOKS}/${book.id}/files/${file.id}`, { isActive }));
      if (isActive === 1) model.activate(book, file);
      else file.isActive = false;
    },
  },
  removeFile: {
    can: (model) => withFiles(model).length > 0,
    async run({ model, admin, pick }) {
      const book = pick(withFiles(model));
      const file = pick(book.files);
      await bodyOf(admin.delete(`${BOOKS}/${book.id}/files/${file.id}`));
      book.files = book.files.filter((each) => each !== file);
    },
  },
  /** One book that is new or known, with a title and a link. */
  bulkUpsert: {
    weight: 2,
    can: ({ languages }) => languages.length > 0,
    async run({ model, admin, pick, number }) {
      const language = pick(model.languages);
      const fileType = pick(TYPES);
      const slug = pick([`bulk-${number}`, ...model.books.map((each) => each.slug)]);
      const item = {
        slug,
        titleEn: `Bulk ${number}`,
        translations: [{ languageCode: language.code, title: `Title ${number}` }],
        files: [{ ...linkTo(number), languageCode: language.code, fileType }],
      };
      const { results } = await bodyOf(admin.post(`${BOOKS}/bulk`, { books: [item] }));
      const known = model.books.find((each) => each.slug === slug);
      expect(results[0].status).toBe(known ? "updated" : "created");
      const { book: shown, files } = await bodyOf(admin.get(`${BOOKS}/${results[0].bookId}`));
      const book = known ?? newBook(shown);
      if (!known) model.books.push(book);
      book.titleEn = item.titleEn;
      book.titles.set(language.id, `Title ${number}`);
      const place = book.files.find(
        (file) => file.isActive && file.languageId === language.id && file.fileType === fileType,
      );
      if (place?.isLink) return;
      const added = files.find((file: { id: string }) => !book.files.some(({ id }) => id === file.id));
      const link = { id: added.id, languageId: language.id, fileType, isLink: true, isActive: true };
      model.activate(book, link);
      book.files.push(link);
    },
  },
};

const linkTo = (number: number) => ({
  sourceType: "url",
  cloudUrl: `https://files.example.org/${number}.pdf`,
  fileName: "book.pdf",
});
