// The administrator who looks after the catalogue of a run: fills it up, clears it out, and knows what is there.
import { hash } from "node:crypto";
import type { z } from "zod";
import { pause } from "../../../src/adapters/system.ts";
import { FIRST_FILE, IMAGES } from "../requests/contents.ts";
import { type Body, encodeRequest, type Headers } from "../requests/request.ts";
import {
  type Account,
  type Catalogue,
  CONSENT_VERSION,
  KEEPER_CONTACT,
  type KnownFile,
} from "./catalogue.ts";
import { lists } from "./keeper-answers.ts";
import { createFullBook } from "./keeper-books.ts";
import type { Connection, Response } from "./send.ts";

/** As many as the fuzz needs at hand, and as many as it lets be. */
const BOOKS = { least: 6, most: 14 };
const ARCHIVED = 3;
const LANGUAGES = { least: 4, most: 14 };
const CHANNELS = { least: 3, most: 10 };
const USERS = { least: 3, most: 10 };
const KEYS = 3;
/** Inactive ones: what is sent would depend on the moment. */
const WEBHOOKS = { least: 3, most: 6 };
const SESSIONS = 3;
/** Each can be sent again once. */
const ENDED_DELIVERIES = 10;
/** Each can be undone once. */
const ENDED_IMPORTS = 8;

export class Keeper {
  readonly #connection: Pick<Connection, "send">;
  readonly #catalogue: Catalogue;
  readonly #credential: Headers;
  #number = 0;

  constructor(connection: Pick<Connection, "send">, catalogue: Catalogue, credential: Headers) {
    this.#connection = connection;
    this.#catalogue = catalogue;
    this.#credential = credential;
  }

  async call(method: string, path: string, body: Body = { kind: "none" }): Promise<Response> {
    const draft = { method, path, params: {}, query: {}, sender: "admin" as const, headers: [], body };
    return this.#connection.send(encodeRequest(draft, this.#credential));
  }

  /** @throws Error when the keeper itself isn't answered as it must be */
  async read<S extends z.ZodType>(schema: S, path: string, body?: unknown): Promise<z.output<S>> {
    const response = await (body === undefined
      ? this.call("GET", path)
      : this.call("POST", path, { kind: "json", value: body }));
    if (response.status >= 300)
      throw new Error(`${path} answers the keeper ${response.status}: ${response.body}`);
    return schema.parse(JSON.parse(response.body.toString()));
  }

  async readOwnId(): Promise<string> {
    return (await this.read(lists.session, "/api/auth/session")).user.id;
  }

  /** Brings the catalogue to its size, and what is known of it up to date. */
  async look(): Promise<void> {
    await this.#clear();
    await this.#fill();
    await this.#learn();
  }

  async #clear(): Promise<void> {
    const { books } = await this.read(lists.books, "/api/admin/books?limit=200");
    for (const { id } of books.slice(0, Math.max(0, books.length - BOOKS.most)))
      await this.call("DELETE", `/api/admin/books/${id}?permanent=true`);
    const { languages } = await this.read(lists.languages, "/api/admin/languages");
    for (const { id } of findSurplus(languages, LANGUAGES))
      await this.call("DELETE", `/api/admin/languages/${id}`);
    const { channels } = await this.read(lists.channels, "/api/admin/channels");
    for (const { id } of findSurplus(channels, CHANNELS))
      await this.call("DELETE", `/api/admin/channels/${id}`);
    const { webhooks } = await this.read(lists.webhooks, WEBHOOKS_PATH);
    for (const { id } of findSurplus(webhooks, WEBHOOKS)) await this.call("DELETE", `${WEBHOOKS_PATH}/${id}`);
    for (const { id } of findSurplus(await this.#findUnexpectedFiles(), USERS))
      await this.call("DELETE", `/api/admin/users/${id}`);
  }

  /** Users that no request needs. */
  async #findUnexpectedFiles(): Promise<Pick<Account, "id" | "email">[]> {
    const { admin, members, changer } = this.#catalogue;
    const own = new Set([admin, changer, ...members].map(({ id }) => id));
    return (await this.read(lists.users, "/api/admin/users")).users.filter(({ id }) => !own.has(id));
  }

  async #fill(): Promise<void> {
    const { languages } = await this.read(lists.languages, "/api/admin/languages");
    const parents = languages.filter(({ parentId, isActive }) => parentId === null && isActive === 1);
    for (let missing = LANGUAGES.least - parents.length; missing > 0; missing -= 1)
      parents.push(await this.#createLanguage());
    const parent = parents[0];
    const subs = languages.filter(({ parentId, isActive }) => parentId !== null && isActive === 1);
    if (subs.length < 2 && parent) await this.#createLanguage(parent.id);
    const { channels } = await this.read(lists.channels, "/api/admin/channels");
    const active = channels.filter(({ isActive }) => isActive === 1).length;
    for (let missing = CHANNELS.least - active; missing > 0; missing -= 1)
      await this.read(lists.id, "/api/admin/channels", { name: this.#name("Channel") });
    await this.#fillBooks(parents.map(({ code }) => code));
    await this.#fillPeople();
  }

  async #createLanguage(parentId?: number) {
    const code = `de-k${String(this.#next()).padStart(6, "0")}`;
    const given = { code, name: code, nativeName: code, ...(parentId !== undefined && { parentId }) };
    const { id } = await this.read(lists.id, "/api/admin/languages", given);
    return { id: Number(id), code, isActive: 1, parentId: parentId ?? null };
  }

  async #fillBooks(codes: readonly string[]): Promise<void> {
    const offered = (await this.read(lists.offered, "/api/books?limit=200")).books.length;
    for (let missing = BOOKS.least - offered; missing > 0; missing -= 1) await this.#createBook(codes);
    const archived = await this.read(lists.books, "/api/admin/books?status=archived&limit=200");
    for (let missing = ARCHIVED - archived.books.length; missing > 0; missing -= 1)
      await this.call("DELETE", `/api/admin/books/${await this.#createBook(codes)}`);
  }

  async #createBook(codes: readonly string[]): Promise<string> {
    const { book, parts } = createFullBook(this.#name("Book"), codes, this.#catalogue.cloud);
    const { id } = await this.read(lists.id, "/api/admin/books", book);
    for (const { method, path, body } of parts)
      await this.call(method, `/api/admin/books/${id}${path}`, body);
    return String(id);
  }

  /** @returns what the file had before */
  async #replaceOne(files: readonly KnownFile[]) {
    const file = files.find(({ isLocal, fileType }) => isLocal && fileType === "txt");
    if (!file) return [];
    const path = `/api/admin/books/${file.bookId}`;
    const bytes = Buffer.from(`Another text ${this.#next()}`);
    const body = { kind: "bytes" as const, type: "application/octet-stream", bytes };
    await this.call("PUT", `${path}/files/${file.fileId}`, body);
    return listReplaced(await this.read(lists.detailsOf(file.bookId), path));
  }

  async #fillPeople(): Promise<void> {
    const unexpectedFiles = await this.#findUnexpectedFiles();
    for (let missing = USERS.least - unexpectedFiles.length; missing > 0; missing -= 1) {
      const email = `stranger-${this.#next()}@example.org`;
      const given = { email, name: "A stranger", role: "viewer", password: `${email} has a word` };
      await this.read(lists.id, "/api/admin/users", given);
    }
    const { apiKeys } = await this.read(lists.keys, "/api/admin/api-keys");
    for (let missing = KEYS + OWN_KEYS - apiKeys.length; missing > 0; missing -= 1)
      await this.read(lists.id, "/api/admin/api-keys", { name: this.#name("Key") });
    const { webhooks } = await this.read(lists.webhooks, WEBHOOKS_PATH);
    for (let missing = WEBHOOKS.least - webhooks.length; missing > 0; missing -= 1)
      await this.#createWebhook(0);
    const { email, password } = this.#catalogue.admin;
    for (let missing = SESSIONS - (await this.#createOtherSessions()).length; missing > 0; missing -= 1)
      await this.read(lists.session, "/api/auth/login", { email, password });
  }

  /** The administrator's, but for the one with which requests are sent. */
  async #createOtherSessions(): Promise<string[]> {
    const { sessions } = await this.read(lists.sessions, "/api/auth/sessions");
    return sessions.filter(({ isCurrent }) => !isCurrent).map(({ id }) => id);
  }

  async #learn(): Promise<void> {
    const known = this.#catalogue;
    const { books } = await this.read(lists.books, "/api/admin/books?limit=200");
    known.books = books.map((book) => ({ ...book, isActive: book.isActive === 1 }));
    const details = await Promise.all(
      books.map(({ id }) => this.read(lists.detailsOf(id), `/api/admin/books/${id}`)),
    );
    known.translations = details.flatMap(({ bookId, translations }) =>
      translations.map(({ languageId }) => ({ bookId, languageId })),
    );
    known.files = details.flatMap(({ bookId, files }) =>
      files.map(({ id, sourceType, replaced: _, ...file }) => ({
        ...file,
        bookId,
        fileId: id,
        isLocal: sourceType === "local",
      })),
    );
    known.replacedFiles = details.flatMap(listReplaced);
    if (known.replacedFiles.length === 0) known.replacedFiles = await this.#replaceOne(known.files);
    const { covers } = await this.read(lists.covers, "/api/admin/covers");
    known.covers = covers.map(({ bookId, languageCode }) => ({ bookId, languageCode }));
    known.replacedCovers = covers.flatMap(({ bookId, languageCode, replaced }) =>
      replaced.map(({ sha256 }) => ({ bookId, languageCode, sha256 })),
    );
    const { languages } = await this.read(lists.languages, "/api/admin/languages");
    known.languages = languages.map((language) => ({ ...language, isActive: language.isActive === 1 }));
    const { channels } = await this.read(lists.channels, "/api/admin/channels");
    known.channels = channels.map((channel) => ({ ...channel, isActive: channel.isActive === 1 }));
    known.users = await this.#findUnexpectedFiles();
    const { apiKeys } = await this.read(lists.keys, "/api/admin/api-keys");
    known.keys = apiKeys.map(({ id }) => id).filter((id) => !this.ownKeys.includes(id));
    await this.#learnWebhooks();
    known.sessions = await this.#createOtherSessions();
    await this.#learnOffers();
    const { contacts } = await this.read(lists.contacts, "/api/admin/contacts?limit=200");
    known.contacts = contacts.map(({ id }) => id);
    known.jobs = await this.#findJobs();
    known.imports = [await this.#createImport()];
    known.undoneImport ??= await this.#createUndoneImport();
    known.endedImports = [];
    for (let count = 0; count < ENDED_IMPORTS; count += 1)
      known.endedImports.push(await this.#createEndedImport());
  }

  /** An import and its undo go on after their response, and a user has one at a time. */
  async waitForImports(): Promise<void> {
    await this.#waitUntil(async () => {
      const { imports } = await this.read(lists.imports, "/api/admin/imports");
      return imports.every(({ state }) => state !== "running");
    });
  }

  async #waitUntil(isOver: () => Promise<boolean>): Promise<void> {
    for (let look = 0; look < MAX_LOOKS; look += 1) {
      if (await isOver()) return;
      await pause(LOOK_AGAIN_MS);
    }
  }

  async #learnWebhooks(): Promise<void> {
    const { webhooks } = await this.read(lists.webhooks, WEBHOOKS_PATH);
    const webhookId = await this.#createWebhook(1);
    const ids = Array.from({ length: ENDED_DELIVERIES }, () => webhookId);
    this.#catalogue.endedDeliveries = await Promise.all(ids.map((id) => this.#sendTest(id)));
    const path = `${WEBHOOKS_PATH}/${webhookId}/deliveries?state=waiting`;
    await this.#waitUntil(async () => (await this.read(lists.deliveries, path)).deliveries.length === 0);
    await this.call("PATCH", `${WEBHOOKS_PATH}/${webhookId}`, { kind: "json", value: { isActive: 0 } });
    this.#catalogue.webhooks = await Promise.all(webhooks.map(({ id }) => this.#sendTest(id)));
  }

  async #sendTest(webhookId: string) {
    const { body } = await this.call("POST", `${WEBHOOKS_PATH}/${webhookId}/test`);
    return { webhookId, ...lists.delivery.parse(JSON.parse(body.toString())) };
  }

  async #createWebhook(isActive: 0 | 1): Promise<string> {
    const url = `${this.#catalogue.cloud}/hook`;
    const given = { url, events: ["webhook.test"], isActive };
    return String((await this.read(lists.id, WEBHOOKS_PATH, given)).id);
  }

  /** A new job, or the one that is running: both responses name it. */
  async #findJobs(): Promise<string[]> {
    const { headers } = await this.call("POST", "/api/admin/doctor/runs");
    const id = String(headers.location ?? "")
      .split("/")
      .at(-1);
    return id ? [id] : [];
  }

  /** Of bytes that the books have: it can be started. */
  async #createImport(): Promise<string> {
    const sha256 = hash("sha256", FIRST_FILE.content);
    const files = [{ path: `en/${FIRST_FILE.fileName}`, sha256 }];
    return (await this.read(lists.created, "/api/admin/imports", { files })).id;
  }

  async #createEndedImport(): Promise<string> {
    const id = await this.#createImport();
    await this.call("DELETE", `/api/admin/imports/${id}`);
    return id;
  }

  /** @returns undefined while another job runs */
  async #createUndoneImport(): Promise<string | undefined> {
    const id = await this.#createEndedImport();
    const { status } = await this.call("POST", `/api/admin/imports/${id}/undo`);
    return status === 202 ? id : undefined;
  }

  /** Keys with which requests are sent, and which none of them may revoke. */
  ownKeys: readonly string[] = [];

  async #learnOffers(): Promise<void> {
    const known = this.#catalogue;
    const { books } = await this.read(lists.offered, "/api/books?limit=200");
    known.offers = books.flatMap(({ id, slug, files }) =>
      files.map((file) => ({ bookId: id, slug, fileId: file.id, ...file })),
    );
    const local = new Set(known.files.filter(({ isLocal }) => isLocal).map(({ fileId }) => fileId));
    known.tokens = await this.#createTokens(
      known.offers.filter(({ fileId }) => local.has(fileId)).slice(0, 2),
    );
    known.cloudTokens = await this.#createTokens(
      known.offers.filter(({ fileId }) => !local.has(fileId)).slice(0, 2),
    );
    const [offer] = known.offers;
    if (!offer) return;
    const wanted = { languageCode: offer.languageCode, contact: KEEPER_CONTACT };
    const { downloadUrl } = await this.read(lists.link, "/api/download/submit-all", wanted);
    known.tokens.push(findToken(downloadUrl));
    known.readyWhole = [{ code: offer.languageCode, token: findToken(downloadUrl) }];
    const [token] = await this.#createTokens([offer]);
    if (token !== undefined) known.ready = [{ code: offer.languageCode, slug: offer.slug, token }];
    await this.#learnLibrary(known.offers.map(({ languageCode }) => languageCode));
  }

  /** Pages show all books, each of their languages has texts, and they have a logo. */
  async #learnLibrary(codes: readonly string[]): Promise<void> {
    await this.call("PATCH", "/api/admin/library", { kind: "json", value: { channelId: null } });
    const consent = { consent: "I want to hear of new books", consentVersion: CONSENT_VERSION };
    const value = { about: "Who we are", privacy: "What we keep", ...consent };
    for (const code of new Set(codes))
      await this.call("PUT", `/api/admin/library/texts/${encodeURIComponent(code)}`, { kind: "json", value });
    const [image] = IMAGES;
    let { logo } = await this.read(lists.library, "/api/admin/library");
    if (logo === null && image) {
      await this.call("PUT", "/api/admin/library/logo", { kind: "bytes", ...image });
      ({ logo } = await this.read(lists.library, "/api/admin/library"));
    }
    this.#catalogue.logos = logo ? [logo.sha256] : [];
  }

  async #createTokens(
    offers: readonly { slug: string; languageCode: string; fileId: string }[],
  ): Promise<string[]> {
    return Promise.all(
      offers.map(async ({ slug, languageCode, fileId }) => {
        const wanted = { slug, languageCode, fileId, contact: KEEPER_CONTACT };
        return findToken((await this.read(lists.link, "/api/download/submit", wanted)).downloadUrl);
      }),
    );
  }

  #next = (): number => (this.#number += 1);
  #name = (what: string): string => `${what} ${this.#next()}`;
}

const WEBHOOKS_PATH = "/api/admin/webhooks";
const LOOK_AGAIN_MS = 20;
const MAX_LOOKS = 500;

/** Those of the senders. */
const OWN_KEYS = 3;

const findToken = (url: string): string => url.slice(url.lastIndexOf("/") + 1);

const findSurplus = <T>(list: readonly T[], { most }: { most: number }): readonly T[] =>
  list.slice(0, Math.max(0, list.length - most));

type Details = z.output<ReturnType<typeof lists.detailsOf>>;

const listReplaced = ({ bookId, files }: Details) =>
  files.flatMap(({ id, replaced }) => replaced.map(({ sha256 }) => ({ bookId, fileId: id, sha256 })));
