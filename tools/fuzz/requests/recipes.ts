// What an accepted request needs beyond its schema: fields that depend on each other or on what exists.
import { hash } from "node:crypto";
import fc from "fast-check";
import type { Catalogue } from "../service/catalogue.ts";
import { EASY_TYPES, FIRST_FILE, fileContent, IMAGES } from "./contents.ts";
import { dateBook, dateBooks } from "./dates.ts";
import { chooseOne, listActiveBooks, NOTHING } from "./known.ts";
import { createLibraryRecipes } from "./library.ts";
import { createLinkRecipes } from "./links.ts";
import { asObject, type Body, type Parts } from "./request.ts";
import { createText } from "./texts.ts";
import type { Values } from "./values.ts";

interface Deps {
  catalogue: Catalogue;
  values: Values;
}

const NEW_PASSWORD = "a pass phrase of the fuzz";

/** By operation; what a recipe doesn't give comes from the schemas. */
export type Recipes = Readonly<Record<string, fc.Arbitrary<Parts>>>;

export function createRecipes({ catalogue, values }: Deps): Recipes {
  const component = (name: string) => values.of({ $ref: `#/components/schemas/${name}` });
  const activeCode = chooseOne(() => catalogue.languages.filter(({ isActive }) => isActive)).map(
    (language) => language?.code ?? "zz",
  );
  const language = chooseOne(() => catalogue.languages);
  const inOneLanguage = fc.tuple(language, fc.boolean()).map(([known, byCode]) => ({
    query: byCode ? { languageCode: known?.code } : { languageId: known?.id },
  }));
  const placeOfCover = fc.option(
    chooseOne(() => catalogue.covers),
    { nil: undefined, freq: 1 },
  );
  // At the neighbour; what is sent would depend on the moment.
  const inactive = { url: `${catalogue.cloud}/hook`, isActive: 0 };
  return {
    listPublishedBooks: fc
      .record({ languageCode: activeCode, limit: fc.integer({ min: 1, max: 500 }) }, { requiredKeys: [] })
      .map((query) => ({ query })),
    getPublishedCover: fc
      .tuple(
        chooseOne(() => catalogue.offers),
        fc.constantFrom(160, 320),
        fc.boolean(),
      )
      .map(([offer, width, inLanguage]) => ({
        params: { slugOrId: offer?.slug ?? NOTHING },
        query: { width, ...(inLanguage && { languageCode: offer?.languageCode ?? "zz" }) },
      })),
    requestDownload: fc
      .tuple(
        chooseOne(() => catalogue.offers),
        component("ContactForm"),
        component("ConsentForm"),
        fc.boolean(),
      )
      .map(([offer, contact, consent, byType]) => {
        const { slug = NOTHING, languageCode = "zz", fileType, fileId } = offer ?? {};
        const wanted = byType ? { fileType } : { fileId };
        return { body: json({ slug, languageCode, ...wanted, contact, ...(byType && { consent }) }) };
      }),
    requestLanguageDownload: fc
      .tuple(
        chooseOne(() => catalogue.offers),
        component("ContactForm"),
      )
      .map(([offer, contact]) => ({ body: json({ languageCode: offer?.languageCode ?? "zz", contact }) })),
    ...createLibraryRecipes(catalogue, component),
    // A yes needs a text to which it refers, and a text needs a decision.
    updateContact: component("ContactUpdate").map((body) => {
      const { textVersion: _, marketing: __, ...others } = asObject(body);
      return { body: json(others) };
    }),
    login: chooseOne(() => catalogue.members).map((account) => ({
      body: json({ email: account?.email, password: account?.password }),
    })),
    logout: fc.constant({ sender: "guest" as const }),
    changePassword: component("PasswordChangeRequest").map((body) => ({
      sender: "changer" as const,
      body: json({ ...asObject(body), currentPassword: catalogue.changer.password }),
    })),
    // A new account has either a password or an invitation, and then it can be used.
    createUser: component("UserCreation").map((body) => {
      const { invite, password = NEW_PASSWORD, isActive, ...others } = asObject(body);
      const isInvited = invite === true || invite === 1;
      return { body: json({ ...others, ...(isInvited ? { invite } : { password, isActive }) }) };
    }),
    // The users of a run have passwords, so they can't be invited again.
    updateUser: component("UserUpdate").map((body) => {
      const { invite: _, ...others } = asObject(body);
      return { body: json(others) };
    }),
    // Languages and channels must exist, and `missing` and `missingIn` depend on each other.
    listBooks: fc
      .record(
        {
          status: fc.constantFrom("active", "archived", "all"),
          sort: fc.constantFrom("sortOrder", "-title", "updatedAt", "-downloads"),
          search: createText(1, 20),
          tag: createText(1, 20),
          publishedIn: activeCode,
          page: fc.integer({ min: 1, max: 3 }),
        },
        { requiredKeys: [] },
      )
      .map((query) => ({ query })),
    exportBooks: fc
      .record(
        { sort: fc.constantFrom("title", "-updatedAt"), search: createText(1, 20) },
        { requiredKeys: [] },
      )
      .map((query) => ({ query })),
    createBook: dateBook(component("BookCreation")).map((body) => ({ body: json(body) })),
    updateBook: dateBook(component("BookUpdate")).map((body) => ({ body: json(body) })),
    patchBook: dateBook(component("BookUpdate")).map((body) => ({ body: json(body) })),
    bulkUpsertBooks: dateBooks(component("BulkRequest")).map((body) => ({ body: json(body) })),
    runBookAction: fc
      .tuple(
        chooseOne(() => listActiveBooks(catalogue)),
        fc.constantFrom(
          { type: "archive" },
          { type: "restore" },
          { type: "addTags", tags: ["fuzz"] },
          { type: "removeTags", tags: ["fuzz"] },
          { type: "setSeries", series: null },
        ),
        fc.boolean(),
      )
      .map(([book, action, dryRun]) => ({ body: json({ bookIds: [book?.id ?? NOTHING], action, dryRun }) })),
    putTranslation: fc
      .tuple(
        chooseOne(() => listActiveBooks(catalogue)),
        component("TranslationRequest"),
        language,
      )
      .map(([book, body, known]) => {
        const { languageId: _, ...others } = asObject(body);
        return {
          params: { bookId: book?.id ?? NOTHING },
          body: json({ ...others, languageCode: known?.code ?? "zz" }),
        };
      }),
    reorderBooks: fc.tuple(fc.nat(7), createMoves(catalogue), fc.nat(1000)).map(([kind, moves, turn]) => {
      const toFront = moves.map(({ bookId }) => ({ bookId, after: null }));
      return {
        body: json(kind === 0 ? createWholeOrder(catalogue, turn) : { moves: kind === 1 ? toFront : moves }),
      };
    }),
    // Who has sub-languages can't become one.
    updateLanguage: component("LanguageUpdate").map((body) => {
      const { parentId: _, ...others } = asObject(body);
      return { body: json(others) };
    }),
    deleteLanguage: fc
      .tuple(component("LanguageDeletion"), fc.boolean())
      .map(([mode, inBody]) =>
        inBody ? { body: json(mode), query: {} } : { body: { kind: "none" }, query: asObject(mode) },
      ),
    addFile: fc.oneof(
      createUploads(language.map((known) => known?.code ?? "zz")),
      cloudFile(component),
      language.map((known) => ({ body: json({ ...STORED_FILE, languageCode: known?.code ?? "zz" }) })),
    ),
    addCloudFile: cloudFile(component),
    replaceFile: createReplacements(catalogue),
    updateFile: component("FileUpdate").map((body) => ({ body: json(fitUpdate(asObject(body))) })),
    putCover: fc.oneof(
      {
        weight: 12,
        arbitrary: fc
          .tuple(fc.constantFrom(...IMAGES), fc.boolean(), placeOfCover)
          .map(([image, isForm, params]) => ({
            // Often in the place of another, which is then kept.
            ...(params && { params }),
            body: isForm ? form(image.bytes, "cover.bin") : { kind: "bytes" as const, ...image },
          })),
      },
      // Of a file that is no image.
      { weight: 1, arbitrary: fc.constant({ body: json({ sha256: STORED_FILE.sha256 }) }) },
    ),
    putLibraryLogo: fc
      .constantFrom(...IMAGES)
      .map((image) => ({ body: { kind: "bytes" as const, ...image } })),
    examineFile: fc
      .constantFrom(...EASY_TYPES)
      .chain(fileContent)
      .map((content) => ({ body: form(content, "book.bin") })),
    lookUpFiles: fc
      .uniqueArray(fc.constantFrom(FIRST_FILE.content, "unknown"), { minLength: 1 })
      .map((contents) => ({ body: json({ sha256: contents.map((content) => hash("sha256", content)) }) })),
    planImport: fc
      .tuple(createText(1, 40), createText(1, 40), fc.boolean())
      .map(([name, title, isTable]) => ({
        body: json({
          files: [{ path: `en/${name}.txt`, sha256: STORED_FILE.sha256 }],
          ...(isTable && {
            catalogue: { name: "books.csv", text: `title,shelf\n"${title}",1\n`, ignoreUnknownColumns: true },
          }),
        }),
      })),
    createImport: createText(1, 40).map((name) => ({
      body: json({ files: [{ path: `en/${name}.txt`, sha256: STORED_FILE.sha256 }] }),
    })),
    // The keeper has cancelled them, and another editor doesn't see them.
    startImport: fc.constant({ sender: "admin" as const }),
    undoImport: fc.constant({ sender: "admin" as const }),
    createWebhook: component("WebhookCreation").map((body) => ({
      body: json({ ...asObject(body), ...inactive }),
    })),
    updateWebhook: component("WebhookUpdate").map((body) => ({
      body: json({ ...asObject(body), ...inactive }),
    })),
    ...createLinkRecipes(catalogue, component),
    previewBook: language.map((known) => ({ query: { languageCode: known?.code ?? "zz" } })),
    // Pages and searches need `fields`.
    getPublicationMatrix: fc
      .tuple(inOneLanguage, fc.boolean(), createText(1, 20))
      .map(([{ query }, isGrid, search]) => ({
        query: isGrid ? { ...query, fields: "published", page: 1, search } : query,
      })),
    exportPublicationMatrix: inOneLanguage,
    getPublicationGaps: inOneLanguage,
    // What readers may ask for can be published in other channels, too.
    changePublications: fc
      .tuple(
        chooseOne(() => catalogue.offers),
        chooseOne(() => catalogue.channels),
      )
      .map(([offer, channel]) => {
        const place = { bookId: offer?.bookId ?? NOTHING, channelId: channel?.id ?? NOTHING };
        const change = { ...place, languageCode: offer?.languageCode ?? "zz", isPublished: true };
        return { body: json({ changes: [change] }) };
      }),
    // Asking other servers, and reading all bytes, takes its time.
    runDoctor: fc.nat(3).map((kind) => ({ query: kind === 0 ? { deep: true } : {} })),
    startDoctorRun: fc.boolean().map((deep) => ({ body: json({ deep }) })),
  };
}

/** The content that each book of the run begins with. */
const STORED_FILE = { fileName: FIRST_FILE.fileName, sha256: hash("sha256", FIRST_FILE.content) };

const json = (value: unknown): Body => ({ kind: "json", value });
const form = (content: Buffer, fileName: string, fields: Readonly<Record<string, string>> = {}): Body => ({
  kind: "form",
  parts: [
    ...Object.entries(fields).map(([name, value]) => ({ name, content: value })),
    { name: "file", fileName, content },
  ],
});

const cloudFile = (component: (name: string) => fc.Arbitrary<unknown>): fc.Arbitrary<Parts> =>
  component("CloudFileCreation").map((body) => ({ body: json(body) }));

function createUploads(languageCode: fc.Arbitrary<string>): fc.Arbitrary<Parts> {
  const typed = fc
    .constantFrom(...EASY_TYPES)
    .chain((type) => fc.tuple(fc.constant(type), fileContent(type)));
  return fc.tuple(typed, languageCode, createText(1, 60)).map(([[fileType, content], code, name]) => ({
    body: form(content, name.replaceAll(/["\\]/g, "_"), { languageCode: code, fileType }),
  }));
}

/** New bytes of the same type as the file's. */
const createReplacements = (catalogue: Catalogue): fc.Arbitrary<Parts> =>
  fc
    .tuple(
      chooseOne(() => catalogue.files.filter(({ fileType }) => EASY_TYPES.includes(fileType))),
      fc.boolean(),
    )
    .chain(([file, isForm]) =>
      fileContent(file?.fileType ?? "txt").map((bytes) => ({
        params: { bookId: file?.bookId ?? NOTHING, fileId: file?.fileId ?? NOTHING },
        body: isForm
          ? form(bytes, "new.bin")
          : { kind: "bytes" as const, type: "application/octet-stream", bytes },
      })),
    );

/** Of uploaded bytes neither size nor type can be told otherwise, and no link takes their place. */
function fitUpdate(update: Record<string, unknown>): Record<string, unknown> {
  const { sourceType: _, fileSizeBytes: __, fileType: ___, cloudUrl: ____, ...always } = update;
  return always;
}

/** All active books, the first so many of them at the end. */
function createWholeOrder(catalogue: Catalogue, turn: number) {
  const ids = listActiveBooks(catalogue).map(({ id }) => id);
  const first = turn % Math.max(ids.length, 1);
  return { bookIds: [...ids.slice(first), ...ids.slice(0, first)] };
}

const createMoves = (catalogue: Catalogue) =>
  fc.uniqueArray(
    fc.record({
      bookId: chooseOne(() => listActiveBooks(catalogue)).map((book) => book?.id ?? NOTHING),
      sortOrder: fc.integer(),
    }),
    { minLength: 1, maxLength: 4, selector: ({ bookId }) => bookId },
  );
