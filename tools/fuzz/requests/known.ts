// Fields and path parameters that name something that exists.
import fc from "fast-check";
import type { Operation } from "../document.ts";
import type { Catalogue } from "../service/catalogue.ts";
import { FIELDS } from "./texts.ts";
import type { Fields } from "./values.ts";

/** The id of nothing. */
export const NOTHING = "01a1fb60-0000-7000-8000-000000000000";
export const NO_LANGUAGE = 2_000_000_000;
const WAITING_DELIVERIES = 3;

/** One of what is there at the moment when a request is made; undefined when there is none. */
export const chooseOne = <T>(list: () => readonly T[]): fc.Arbitrary<T | undefined> =>
  fc.nat(0xffff).map((number) => {
    const known = list();
    return known[number % Math.max(known.length, 1)];
  });

export function createKnownFields(catalogue: Catalogue): Fields {
  const topLevel = () => catalogue.languages.filter(({ parentId }) => parentId === null);
  return {
    ...FIELDS,
    bookId: chooseOne(() => listActiveBooks(catalogue)).map((book) => book?.id ?? NOTHING),
    languageCode: chooseOne(() => catalogue.languages).map((language) => language?.code ?? "zz"),
    languageId: chooseOne(() => catalogue.languages).map((language) => language?.id ?? NO_LANGUAGE),
    channelId: chooseOne(() => catalogue.channels).map((channel) => channel?.id ?? NOTHING),
    channel: chooseOne(() => catalogue.channels.filter(({ isActive }) => isActive)).map(
      (one) => one?.slug ?? "none",
    ),
    // A language that others inherit from can't inherit itself.
    parentId: fc.option(chooseOne(topLevel).map((language) => language?.id ?? null)),
    sourceType: fc.constant("url"),
    cloudUrl: fc.nat(1000).map((number) => `${catalogue.cloud}/book-${number}.pdf`),
    actorId: chooseOne(() => catalogue.users).map((user) => user?.id ?? NOTHING),
    objectId: chooseOne(() => catalogue.books).map((book) => book?.id ?? NOTHING),
  };
}

export const listActiveBooks = ({ books }: Catalogue) => books.filter(({ isActive }) => isActive);
export const listArchivedBooks = ({ books }: Catalogue) => books.filter(({ isActive }) => !isActive);
const listSubLanguages = ({ languages }: Catalogue) => languages.filter(({ parentId }) => parentId !== null);

type Params = Record<string, unknown>;

const REFERENCE_ASSETS = ["swagger-ui.css", "swagger-ui-bundle.js", "start.js"];

/** Path parameters that belong together, by what stands at the end of the path. The first that fits holds. */
export function createPathParams(
  { path, method, id }: Operation,
  catalogue: Catalogue,
): fc.Arbitrary<Params> {
  const one = <T>(list: () => readonly T[], params: (item: T) => Params, otherwise: Params) =>
    chooseOne(list).map((item) => (item === undefined ? otherwise : params(item)));
  const isPut = method === "put";
  if (path.endsWith("/files/{fileId}"))
    return one(
      () => catalogue.files.filter(({ isLocal }) => isLocal || !isPut),
      ({ bookId, fileId }) => ({ bookId, fileId }),
      { bookId: NOTHING, fileId: NOTHING },
    );
  if (path.endsWith("/replaced/{sha256}")) return createReplacedParams(path, catalogue);
  if (path.endsWith("/translations/{languageId}"))
    return one(
      () => catalogue.translations,
      (translation) => ({ ...translation }),
      { bookId: NOTHING, languageId: 1 },
    );
  if (path.endsWith("/covers/{languageCode}"))
    return isPut
      ? fc.record({
          bookId: chooseOne(() => catalogue.books).map((book) => book?.id ?? NOTHING),
          languageCode: chooseOne(() => ["default", ...catalogue.languages.map(({ code }) => code)]),
        })
      : one(
          () => catalogue.covers,
          (cover) => ({ ...cover }),
          { bookId: NOTHING, languageCode: "zz" },
        );
  if (id === "undoImport")
    return one(
      () => catalogue.endedImports,
      (importId) => ({ importId }),
      { importId: NOTHING },
    );
  if (id === "restoreBook")
    return one(
      () => listArchivedBooks(catalogue),
      (book) => ({ bookId: book.id }),
      { bookId: NOTHING },
    );
  if (path.includes("{webhookId}"))
    return one(
      () => (id === "resendWebhookDelivery" ? listDeliveries(catalogue) : catalogue.webhooks),
      (known) => ({ ...known }),
      { webhookId: NOTHING, deliveryId: NOTHING },
    );
  if (path.includes("{bookId}"))
    return one(
      () => catalogue.books,
      (book) => ({ bookId: book.id }),
      { bookId: NOTHING },
    );
  if (path.startsWith("/library/{code}"))
    return one(
      () => catalogue.offers,
      ({ languageCode, slug }) => ({ code: languageCode, slug }),
      { code: "zz", slug: NOTHING },
    );
  if (path.includes("{slugOrId}"))
    return fc
      .tuple(
        chooseOne(() => catalogue.offers),
        fc.boolean(),
      )
      .map(([offer, bySlug]) => ({ slugOrId: (bySlug ? offer?.slug : offer?.bookId) ?? NOTHING }));
  if (path.endsWith("/{langId}/books"))
    return one(
      () => listSubLanguages(catalogue),
      ({ id }) => ({ langId: id }),
      { langId: NO_LANGUAGE },
    );
  return fc.record({
    langId: chooseOne(() => catalogue.languages).map((language) => language?.id ?? NO_LANGUAGE),
    channelId: chooseOne(() => catalogue.channels).map((channel) => channel?.id ?? NOTHING),
    keyId: chooseOne(() => catalogue.keys).map((key) => key ?? NOTHING),
    sessionId: chooseOne(() => catalogue.sessions).map((session) => session ?? NOTHING),
    userId: chooseOne(() => catalogue.users).map((user) => user?.id ?? NOTHING),
    contactId: chooseOne(() => catalogue.contacts).map((contact) => contact ?? NOTHING),
    jobId: chooseOne(() => catalogue.jobs).map((job) => job ?? NOTHING),
    importId: chooseOne(() => catalogue.imports).map((known) => known ?? NOTHING),
    token: chooseOne(() => [...catalogue.tokens, ...catalogue.cloudTokens]).map((token) => token ?? NOTHING),
    asset: fc.constantFrom(...REFERENCE_ASSETS),
    code: fc.constantFrom("en", "ar", "bo"),
    hash: chooseOne(() => catalogue.logos).map((logo) => logo ?? NOTHING),
    number: fc.constant(1),
    languageCode: chooseOne(() => catalogue.languages).map((language) => language?.code ?? "zz"),
  });
}

/** Of what a file or a cover had before. */
function createReplacedParams(path: string, catalogue: Catalogue): fc.Arbitrary<Params> {
  const list = () => (path.includes("/files/") ? catalogue.replacedFiles : catalogue.replacedCovers);
  const nothing = { bookId: NOTHING, fileId: NOTHING, languageCode: "zz", sha256: "0".repeat(64) };
  return chooseOne<Params>(list).map((content) => ({ ...(content ?? nothing) }));
}

/** Mostly ended ones, and some that wait: they can't be sent again. */
const listDeliveries = ({ endedDeliveries, webhooks }: Catalogue) => [
  ...endedDeliveries,
  ...webhooks.slice(0, WAITING_DELIVERIES),
];
