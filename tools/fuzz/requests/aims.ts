// What a request aims at: to be accepted, or at one of the statuses that the document promises.
import fc from "fast-check";
import type { Operation } from "../document.ts";
import { type Catalogue, KEEPER_CONTACT } from "../service/catalogue.ts";
import { findReason } from "../unforced.ts";
import { FIRST_FILE } from "./contents.ts";
import type { Drafts } from "./drafts.ts";
import { createHostile } from "./hostile.ts";
import { listActiveBooks, listArchivedBooks, NO_LANGUAGE, NOTHING } from "./known.ts";
import { createLibraryWays } from "./library.ts";
import { createNearly } from "./nearly.ts";
import { asObject, type Body, type Draft, formatTarget, type Part, type Sender } from "./request.ts";

export type Aim = "accepted" | "nearly" | "hostile" | number;

/** Every other request is a good one; the others try all else in turn. */
const TURNS: readonly ("accepted" | "nearly" | "hostile" | "status")[] = [
  "accepted",
  "status",
  "accepted",
  "nearly",
  "accepted",
  "hostile",
  "accepted",
  "status",
  "hostile",
  "nearly",
  "accepted",
] as const;

/**
 * @param turn how often the operation has been called before
 * @param isSeen whether the operation has given this status already: those that it hasn't given go first
 */
export function chooseAim(
  { id, responses }: Operation,
  turn: number,
  isSeen: (status: number) => boolean,
): Aim {
  const aim = TURNS[turn % TURNS.length] ?? "accepted";
  if (aim !== "status") return aim;
  const statuses = [...responses.keys()].filter(
    (status) =>
      findReason(id, status) === undefined && status !== 201 && (status !== 200 || responses.has(201)),
  );
  const unseen = statuses.filter((status) => !isSeen(status));
  const wanted = unseen.length > 0 ? unseen : statuses;
  const statusTurns = Math.floor(turn / TURNS.length) * 2 + (turn % TURNS.length > 1 ? 1 : 0);
  return wanted[statusTurns % wanted.length] ?? "accepted";
}

/** A body of JSON longer than any is taken. */
const TOO_MANY_BYTES = 64 * 1024 * 1024;

/** What the service is told: small, so that what is too large is sent quickly. */
export const MAX_UPLOAD_BYTES = 65_536;

export class Aims {
  readonly #drafts: Drafts;
  readonly #catalogue: Catalogue;

  constructor(drafts: Drafts, catalogue: Catalogue) {
    this.#drafts = drafts;
    this.#catalogue = catalogue;
  }

  /** Requests of this operation with that aim. What has no way of its own goes out as an accepted one. */
  createRequests(operation: Operation, aim: Aim): fc.Arbitrary<Draft> {
    const accepted = this.#drafts.createAccepted(operation);
    if (aim === "nearly") return accepted.chain(createNearly);
    if (aim === "hostile") return accepted.chain(createHostile);
    if (aim === "accepted") return accepted;
    const change = this.#changeToward(operation, aim);
    return fc
      .tuple(accepted, fc.nat(0xffff))
      .map(([draft, chance]) => ({ ...draft, ...change(draft, chance) }));
  }

  #changeToward({ ruleId, takes, method }: Operation, status: number): Change {
    const own = createOwnWays(this.#catalogue)[`${ruleId} ${status}`];
    if (own) return own;
    const ways: Readonly<Record<number, Change>> = {
      400: ({ path, params }) => ({ target: `${formatTarget({ path, params, query: {} })}?%ff` }),
      206: () => ({ ...whole, headers: [["Range", "bytes=0-0"]] }),
      304: () => ({ ...whole, headers: [["If-None-Match", "*"]] }),
      401: (_, chance) => ({ sender: pick(STRANGERS, chance) }),
      403: (_, chance) => forbidden(takes.includes("bearer"), method, chance),
      404: () => ({ params: NOWHERE }),
      412: () => ({ ...(method === "get" && whole), headers: [["If-Match", '"another"']] }),
      413: ({ body }) => tooLarge(body),
      415: () => ({
        body: { kind: "bytes", type: "text/plain", bytes: Buffer.from("a=1") },
      }),
      416: () => ({ ...whole, headers: [["Range", "bytes=99999999999-"]] }),
    };
    return ways[status] ?? (() => ({}));
  }
}

/** Of JSON the claim is enough; an upload is measured on its way. */
function tooLarge(body: Body): Partial<Draft> {
  const content = Buffer.alloc(MAX_UPLOAD_BYTES + 10_000, "%PDF-1.7 ");
  if (body.kind === "form")
    return { body: { kind: "form", parts: [...texts(body.parts), { ...FILE, content }] } };
  if (body.kind === "bytes") return { body: { ...body, bytes: content } };
  return {
    claimedLength: TOO_MANY_BYTES,
    ...(body.kind === "none" && { body: { kind: "json", value: {} } }),
  };
}

const FILE = { name: "file", fileName: "large.pdf" };
const texts = (parts: readonly Part[]) => parts.filter(({ fileName }) => fileName === undefined);

type Change = (draft: Draft, chance: number) => Partial<Draft>;

/** The whole answer, were it not for the headers. */
const whole = { method: "GET" };

const STRANGERS: readonly Sender[] = ["anonymous", "junk cookie", "junk key"];

const NOWHERE = {
  bookId: NOTHING,
  slugOrId: NOTHING,
  fileId: NOTHING,
  channelId: NOTHING,
  keyId: NOTHING,
  webhookId: NOTHING,
  deliveryId: NOTHING,
  sessionId: NOTHING,
  userId: NOTHING,
  contactId: NOTHING,
  jobId: NOTHING,
  importId: NOTHING,
  code: "zz",
  slug: NOTHING,
  hash: NOTHING,
  number: 999,
  token: NOTHING,
  asset: "none.js",
  languageCode: "zz",
  langId: NO_LANGUAGE,
  languageId: NO_LANGUAGE,
};

const pick = <T>(list: readonly [T, ...T[]] | readonly T[], chance: number): T => {
  const picked = list[chance % list.length];
  if (picked === undefined) throw new Error("There is nothing to pick from");
  return picked;
};

/** A credential that lacks the permission; or a page of somebody else's with a cookie that has it, also for exports. */
function forbidden(takesKeys: boolean, method: string, chance: number): Partial<Draft> {
  const isRead = method === "get";
  if (takesKeys && (isRead || chance % 2 === 0)) return { sender: isRead ? "writing key" : "reading key" };
  return { sender: chance % 4 < 2 ? "viewer" : "admin", headers: [["Sec-Fetch-Site", "cross-site"]] };
}

/** Ways to a status that this operation alone has. */
function createOwnWays(catalogue: Catalogue): Readonly<Record<string, Change>> {
  const { admin } = catalogue;
  const inBody = (draft: Draft, fields: Record<string, unknown>): Partial<Draft> => ({
    body: {
      kind: "json",
      value: { ...(draft.body.kind === "json" && asObject(draft.body.value)), ...fields },
    },
  });
  const inQuery = (draft: Draft, fields: Record<string, unknown>) => ({
    query: { ...draft.query, ...fields },
  });
  const toTranslation = (draft: Draft, chance: number): Partial<Draft> => {
    const { bookId = NOTHING, languageId } = ofFirst(catalogue.translations, chance);
    return { params: { bookId }, ...inBody(draft, { languageId, languageCode: undefined }) };
  };
  const active = (chance: number) => ofFirst(listActiveBooks(catalogue), chance).id ?? NOTHING;
  const toCover = (chance: number) => ({
    ...whole,
    params: { ...ofFirst(catalogue.covers, chance) },
    query: {},
  });
  const toFile = { ...whole, params: { token: catalogue.tokens[0] ?? NOTHING } };
  const otherSlug = (chance: number) => ofFirst(catalogue.books, chance).slug ?? "none";
  return {
    // Reading them takes the permission to edit.
    "listImports 403": () => ({ sender: "reading key" }),
    "getImport 403": () => ({ sender: "reading key" }),
    "undoImport 409": () => ({ params: { importId: catalogue.imports[0] ?? NOTHING } }),
    // Another editor doesn't see it.
    "examineFile 409": (draft) => ({
      ...inQuery(draft, { importId: catalogue.undoneImport ?? NOTHING }),
      sender: "admin",
    }),
    "listPublishedBooks 404": (draft) => inQuery(draft, { languageCode: "zz" }),
    "requestDownload 404": (draft) => inBody(draft, { slug: NOTHING }),
    "requestLanguageDownload 404": (draft) => inBody(draft, { languageCode: "zz" }),
    // Only a key is looked at there.
    "requestDownload 401": () => ({ sender: "junk key" }),
    "requestLanguageDownload 401": () => ({ sender: "junk key" }),
    // A cover in another width is sent as a whole.
    "getCover 206": (_, chance) => ({ ...toCover(chance), headers: [["Range", "bytes=0-0"]] }),
    "getCover 412": (_, chance) => ({ ...toCover(chance), headers: [["If-Match", '"another"']] }),
    "getCover 416": (_, chance) => ({ ...toCover(chance), headers: [["Range", "bytes=99999999999-"]] }),
    "downloadFile 304": () => ({ ...toFile, headers: [["If-None-Match", "*"]] }),
    "downloadFile 206": () => ({ ...toFile, headers: [["Range", "bytes=0-0"]] }),
    "downloadFile 412": () => ({ ...toFile, headers: [["If-Match", '"another"']] }),
    "downloadFile 416": () => ({ ...toFile, headers: [["Range", "bytes=99999999999-"]] }),
    "downloadFile 302": (_, chance) => ({ params: { token: catalogue.cloudTokens[chance % 2] ?? NOTHING } }),
    "downloadFile 410": () => ({ params: { token: catalogue.expiredToken } }),
    "renewDownloadLink 303": () => ({ params: toFile.params, headers: [["Accept", "text/html"]] }),
    "requestDownload 303": asPageForm,
    "requestLanguageDownload 303": asPageForm,
    ...createLibraryWays(catalogue),
    "addFile 200": (_, chance) => repeatUpload(catalogue, chance),
    "updateFile 409": (_, chance) => {
      const local = catalogue.files.filter(({ isLocal }) => isLocal);
      const { bookId = NOTHING, fileId = NOTHING } = ofFirst(local, chance);
      const value = { cloudUrl: `${catalogue.cloud}/instead.pdf` };
      return { params: { bookId, fileId }, body: { kind: "json", value } };
    },
    "login 401": (draft) => inBody(draft, { password: "not the one" }),
    "createBook 409": (draft, chance) => inBody(draft, { slug: otherSlug(chance) }),
    "updateBook 409": (draft, chance) => inBody({ ...draft }, { slug: otherSlug(chance) }),
    "putTranslation 200": (draft, chance) => toTranslation(draft, chance),
    "putTranslation 412": (draft, chance) => ({
      ...toTranslation(draft, chance),
      headers: [["If-Match", '"another"']],
    }),
    "restoreBook 409": (_, chance) => ({ params: { bookId: active(chance) } }),
    "createLanguage 409": (draft, chance) =>
      inBody(draft, { code: ofFirst(catalogue.languages, chance).code }),
    "updateLanguage 409": (draft, chance) =>
      inBody(draft, { code: ofFirst(catalogue.languages, chance).code }),
    "listSubLanguageBooks 400": (draft, chance) => ({ params: topLevel(catalogue, draft, chance) }),
    "togglePublication 409": (draft, chance) =>
      inBody(draft, { bookId: ofFirst(listArchivedBooks(catalogue), chance).id ?? NOTHING }),
    "updateContact 409": (draft) => inBody(draft, { email: KEEPER_CONTACT.email }),
    "changePublications 404": (draft) => inBody(draft, { changes: [changeOf(catalogue, NOTHING)] }),
    "changePublications 409": (draft, chance) => {
      const archived = ofFirst(listArchivedBooks(catalogue), chance).id ?? NOTHING;
      return inBody(draft, { changes: [changeOf(catalogue, archived)] });
    },
    "planImport 404": (draft) => inBody(draft, { catalogue: { name: "books.json", sha256: "0".repeat(64) } }),
    "createUser 409": (draft) => inBody(draft, { email: admin.email }),
    "updateUser 409": (draft) => inBody(draft, { email: admin.email }),
    "deleteUser 409": () => ({ params: { userId: admin.id } }),
    "createBook 400": (draft) => inBody(draft, { titleEn: "" }),
    "login 400": (draft) => inBody(draft, { role: "admin" }),
    "requestDownload 400": (draft) => inBody(draft, { contact: {} }),
  };
}

const changeOf = ({ channels, languages }: Catalogue, bookId: string) => ({
  bookId,
  channelId: channels[0]?.id ?? NOTHING,
  languageId: languages[0]?.id ?? NO_LANGUAGE,
  isPublished: true,
});

/** What a browser sends of a page without scripts: the reader's fields stand beside the others. */
function asPageForm({ body }: Draft): Partial<Draft> {
  const {
    contact: _,
    consent: __,
    ...wanted
  } = {
    contact: undefined,
    consent: undefined,
    ...(body.kind === "json" && asObject(body.value)),
  };
  const fields = Object.entries({ ...wanted, email: "page@example.org", firstName: "Page" });
  const pairs = fields.flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
  return {
    sender: "anonymous",
    headers: [["Accept", "text/html"]],
    body: {
      kind: "bytes",
      type: "application/x-www-form-urlencoded",
      bytes: Buffer.from(new URLSearchParams(pairs).toString()),
    },
  };
}

const ofFirst = <T>(list: readonly T[], at: number): Partial<T> => list[at % Math.max(list.length, 1)] ?? {};

/** The bytes that a book has already. */
function repeatUpload({ files }: Catalogue, chance: number): Partial<Draft> {
  const same = files.filter(({ isLocal, fileName }) => isLocal && fileName === FIRST_FILE.fileName);
  const { bookId = NOTHING, languageCode = "zz", fileType = "txt" } = ofFirst(same, chance);
  return {
    params: { bookId },
    body: {
      kind: "form",
      parts: [
        { name: "languageCode", content: languageCode },
        { name: "fileType", content: fileType },
        { name: "file", ...FIRST_FILE },
      ],
    },
  };
}

const topLevel = ({ languages }: Catalogue, { params }: Draft, chance: number) => {
  const parents = languages.filter(({ parentId }) => parentId === null);
  return { ...params, langId: parents[chance % Math.max(parents.length, 1)]?.id ?? 1 };
};
