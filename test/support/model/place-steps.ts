/** Steps that concern languages, channels, and where books are published. */

import { bodyOf } from "../client.ts";
import type { CatalogueModel, ModelBook } from "./catalogue-model.ts";
import type { StepKind } from "./steps.ts";

const LANGUAGES = "/api/admin/languages";
const CHANNELS = "/api/admin/channels";
/** Few, so that much comes together in each, and languages come back after they were removed. */
const CODES = ["en", "es", "es-MX", "es-AR", "fr", "ar"];
const MAX_CHANNELS = 3;

const hasLanguages = ({ languages }: CatalogueModel) => languages.length > 0;
const hasChannels = ({ channels }: CatalogueModel) => channels.length > 0;
const subLanguages = ({ languages }: CatalogueModel) => languages.filter(({ parentId }) => parentId !== null);

/** Who may be inherited from, by whom that isn't the language itself. */
const parentsFor = ({ languages }: CatalogueModel, id?: number) =>
  languages.some(({ parentId }) => parentId === id)
    ? []
    : languages.filter((each) => each.parentId === null && each.id !== id);

export const placeSteps: Readonly<Record<string, StepKind>> = {
  createLanguage: {
    weight: 4,
    can: ({ languages }) => languages.length < CODES.length,
    async run({ model, admin, pick, number }) {
      const code = pick(CODES.filter((each) => !model.languages.some((known) => known.code === each)));
      const parents = model.languages.filter(({ parentId }) => parentId === null);
      const parentId = pick([null, ...parents.map(({ id }) => id)]);
      const isActive = number % 5 === 0 ? 0 : 1;
      const body = { code, name: code, nativeName: code, parentId, isActive };
      const { id } = await bodyOf(admin.post(LANGUAGES, body), 201);
      model.languages.push({ id, code, parentId, isActive: isActive === 1 });
    },
  },
  switchLanguage: {
    can: hasLanguages,
    async run({ model, admin, pick, number }) {
      const language = pick(model.languages);
      const isActive = number % 3 === 0 ? 0 : 1;
      await bodyOf(admin.put(`${LANGUAGES}/${language.id}`, { isActive }));
      language.isActive = isActive === 1;
    },
  },
  moveLanguage: {
    can: hasLanguages,
    async run({ model, admin, pick }) {
      const language = pick(model.languages);
      const parentId = pick([null, ...parentsFor(model, language.id).map(({ id }) => id)]);
      await bodyOf(admin.put(`${LANGUAGES}/${language.id}`, { parentId }));
      language.parentId = parentId;
    },
  },
  removeLanguage: {
    can: hasLanguages,
    async run({ model, admin, pick, number }) {
      const language = pick(model.languages);
      const mode = number % 2 === 0 ? "preserve_analytics" : "delete_all";
      await bodyOf(admin.delete(`${LANGUAGES}/${language.id}?mode=${mode}`));
      model.removeLanguage(language);
    },
  },
  override: {
    weight: 4,
    can: (model) => subLanguages(model).length > 0 && model.books.length > 0,
    async run({ model, admin, pick }) {
      const { id } = pick(subLanguages(model));
      const book = pick(model.books);
      const isVisible = pick([true, false, false, null]);
      await bodyOf(admin.put(`${LANGUAGES}/${id}/books`, { overrides: [{ bookId: book.id, isVisible }] }));
      if (isVisible === null) book.overrides.delete(id);
      else book.overrides.set(id, isVisible);
    },
  },
  createChannel: {
    weight: 2,
    can: ({ channels }) => channels.length < MAX_CHANNELS,
    async run({ model, admin, number }) {
      const { id, slug } = await bodyOf(admin.post(CHANNELS, { name: `Channel ${number}` }), 201);
      model.channels.push({ id, slug, isActive: true });
    },
  },
  switchChannel: {
    can: hasChannels,
    async run({ model, admin, pick, number }) {
      const channel = pick(model.channels);
      const isActive = number % 3 === 0 ? 0 : 1;
      await bodyOf(admin.put(`${CHANNELS}/${channel.id}`, { isActive }));
      channel.isActive = isActive === 1;
    },
  },
  removeChannel: {
    can: hasChannels,
    async run({ model, admin, pick }) {
      const channel = pick(model.channels);
      await bodyOf(admin.delete(`${CHANNELS}/${channel.id}`));
      model.removeChannel(channel);
    },
  },
  /** An archived book can't be; nor is one taken away where it is only inherited. What a language has itself stays. */
  publish: {
    weight: 10,
    can: (model) => model.books.length > 0 && hasChannels(model) && hasLanguages(model),
    async run({ model, admin, pick }) {
      const book = pick(model.books);
      const channel = pick(model.channels);
      const language = pick(model.languages);
      const { given } = pick([{ given: true }, { given: true }, { given: false }, { given: undefined }]);
      const own = `${channel.id} ${language.id}`;
      const wanted = given ?? !model.isOnChannel(book, channel, language);
      const isInherited = book.places.has(`${channel.id} ${language.parentId}`);
      const isRejected = !book.isActive || (!wanted && isInherited && !book.places.has(own));
      const body = { bookId: book.id, channelId: channel.id, languageId: language.id, isPublished: given };
      await bodyOf(admin.post(`${CHANNELS}/publications/toggle`, body), isRejected ? 409 : 200);
      if (isRejected) return;
      if (wanted) book.places.add(own);
      else book.places.delete(own);
    },
  },
  /** In one language, as the grid of the console does it. None is changed if one is rejected. */
  publishMany: {
    weight: 6,
    can: (model) => model.books.length > 0 && hasChannels(model) && hasLanguages(model),
    async run({ model, admin, pick }) {
      const channel = pick(model.channels);
      const language = pick(model.languages);
      const isPublished = pick([true, true, false]);
      const books = [...new Set([pick(model.books), pick(model.books)])];
      const key = `${channel.id} ${language.id}`;
      const isOnlyInherited = ({ places }: ModelBook) =>
        places.has(`${channel.id} ${language.parentId}`) && !places.has(key);
      const isRejected =
        books.some(({ isActive }) => !isActive) || (!isPublished && books.some(isOnlyInherited));
      const place = { channelId: channel.id, languageId: language.id, isPublished };
      const changes = books.map(({ id }) => ({ ...place, bookId: id }));
      await bodyOf(admin.put(`${CHANNELS}/publications`, { changes }), isRejected ? 409 : 200);
      if (isRejected) return;
      for (const { places } of books) isPublished ? places.add(key) : places.delete(key);
    },
  },
};
