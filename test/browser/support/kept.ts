/**
 * Records that the stand-in keeps from request to request, in versions: a change is read, and rejected, by the service's own
 * schemas, and a change of another version than the present one is a 412.
 */
import type { IncomingHttpHeaders } from "node:http";
import type { z } from "zod";
import { invalidInput, preconditionFailed } from "../../../src/errors.ts";
import { parseIfMatch } from "../../../src/http/requests/if-match.ts";
import { bookUpdate } from "../../../src/schemas/books.schemas.ts";
import { channelUpdate } from "../../../src/schemas/channels.schemas.ts";
import { contactUpdate } from "../../../src/schemas/contacts.schemas.ts";
import { languageUpdate } from "../../../src/schemas/languages.schemas.ts";
import { parse } from "../../../src/schemas/parse.ts";
import { translationRequest } from "../../../src/schemas/translations.schemas.ts";
import { isExpected } from "../../../src/services/shared/record-versions.ts";
import type { StandIn } from "./stand-in.ts";

interface Sent {
  headers: IncomingHttpHeaders;
  body?: unknown;
}

/** What a body says in the service's words. @throws AppError 400 with all errors */
function read<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const parsed = parse(schema, body, "body");
  if (!parsed.ok) throw invalidInput(parsed.errors);
  return parsed.value;
}

export class Kept<R extends { version: string }> {
  #now: R;
  #changes = 0;

  constructor(record: R) {
    this.#now = record;
  }

  get now(): R {
    return this.#now;
  }

  /** Changes it as somebody else. */
  change(fields: object): R {
    this.#changes += 1;
    this.#now = { ...this.#now, ...fields, version: `version-${this.#changes}` };
    return this.#now;
  }

  /** @throws AppError 412 for another version */
  require({ headers }: Sent): void {
    if (isExpected(parseIfMatch(headers["if-match"]), this.#now)) return;
    const lastChange = { at: "2026-03-01T12:00:00.000Z", by: "Ben" };
    throw preconditionFailed("changed_meanwhile", "The record has changed since it was read.", {
      lastChange,
    });
  }

  /** Changes it by a request. @throws AppError 400 or 412 */
  save(request: Sent, schema: z.ZodType<object>): R {
    const fields = read(schema, request.body);
    this.require(request);
    return this.change(fields);
  }
}

/** The book of the examples, with its translations. */
export function keepBook(api: StandIn) {
  const details = api.example("get /api/admin/books/{bookId}");
  if (!("book" in details)) throw new Error("The example is no book.");
  const book = new Kept(details.book);
  const translations = new Map(details.translations.map((each) => [each.languageCode, new Kept(each)]));
  const example = api.example("post /api/admin/books/{bookId}/translations");
  const addTranslation = (fields: { languageCode: string; [name: string]: unknown }) => {
    const added = new Kept({ ...example, authors: [], contributors: [], publisher: null, isbn: null });
    translations.set(fields.languageCode, added);
    return added.change(fields);
  };
  api.on("get /api/admin/books/{bookId}", () => ({
    ...details,
    book: book.now,
    translations: [...translations.values()].map(({ now }) => now),
  }));
  api.on(
    "patch /api/admin/books/{bookId}",
    (request) => ({
      ...api.example("patch /api/admin/books/{bookId}"),
      book: book.save(request, bookUpdate),
    }),
    (body) => read(bookUpdate, body),
  );
  api.on("post /api/admin/books/{bookId}/translations", (request) => {
    const { languageCode = "", ...fields } = read(translationRequest, request.body);
    const known = translations.get(languageCode ?? "");
    if (known) return known.save(request, translationRequest);
    return addTranslation({ ...fields, languageCode: languageCode ?? "" });
  });
  return { book, details, translations, addTranslation };
}

/** The language of the examples, alone. */
export function keepLanguage(api: StandIn) {
  const language = new Kept(api.example("patch /api/admin/languages/{langId}").language);
  const list = api.example("get /api/admin/languages").languages;
  api.on("get /api/admin/languages", () => ({ languages: list.map((one) => ({ ...one, ...language.now })) }));
  api.on("patch /api/admin/languages/{langId}", (request) => ({
    ...api.example("patch /api/admin/languages/{langId}"),
    language: language.save(request, languageUpdate),
  }));
  return language;
}

/** The channel of the examples, alone. */
export function keepChannel(api: StandIn) {
  const channel = new Kept(api.example("patch /api/admin/channels/{channelId}").channel);
  const list = api.example("get /api/admin/channels").channels;
  api.on("get /api/admin/channels", () => ({ channels: list.map((one) => ({ ...one, ...channel.now })) }));
  api.on("patch /api/admin/channels/{channelId}", (request) => ({
    ...api.example("patch /api/admin/channels/{channelId}"),
    channel: channel.save(request, channelUpdate),
  }));
  return channel;
}

/** The contact of the examples, whose version a decision on marketing changes, too. */
export function keepContact(api: StandIn) {
  const { contact: example, ...statements } = api.example("get /api/admin/contacts/{contactId}");
  const contact = new Kept(example);
  const decide = (marketing: boolean, textVersion: string) => {
    const givenAt = new Date().toISOString();
    const statement = { marketing, textVersion, languageCode: "", givenAt };
    statements.consent = { ...statement, state: marketing ? "agreed" : "withdrawn" };
    const origin = {
      source: "administrator",
      administrator: "Anna",
      text: null,
      repeatedAt: null,
      eventId: null,
      ipAddress: null,
      formerAddress: false,
    };
    statements.consents.unshift({ ...statement, ...origin });
  };
  api.on("get /api/admin/contacts/{contactId}", () => ({ ...statements, contact: contact.now }));
  api.on("patch /api/admin/contacts/{contactId}", (request) => {
    const { marketing, textVersion = "", ...fields } = read(contactUpdate, request.body);
    contact.require(request);
    if (marketing !== undefined) decide(marketing, textVersion);
    return { ...api.example("patch /api/admin/contacts/{contactId}"), contact: contact.change(fields) };
  });
  return { contact, statements };
}
