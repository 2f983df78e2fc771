/** One of each record that has a version, and the operations that change it. */
import type { TestApp } from "./app.ts";
import { bodyOf, type CallOptions, type Client, type Method } from "./client.ts";
import { createOneOfEverything } from "./one-of-everything.ts";

export const NOUNS = ["book", "translation", "file", "language", "channel", "contact", "webhook"] as const;
export type Noun = (typeof NOUNS)[number];

interface VersionedRecord {
  id: string | number;
  version: string;
}

interface RecordScene {
  client: Client;
  /** The path of the record, by which it is changed and deleted. */
  paths: Readonly<Record<Noun, string>>;
  /** The record as lists show it now; undefined if there is none. */
  read(noun: Noun): Promise<VersionedRecord | undefined>;
  change(
    change: RecordChange,
    headers: Readonly<Record<string, string>>,
    value?: string,
    by?: Client,
  ): ReturnType<Client["call"]>;
}

interface RecordChange {
  noun: Noun;
  method: Method;
  /** With another value, the record gets another version. Undefined: a deletion. */
  body?: (value: string) => Pick<CallOptions, "body" | "form">;
}

const json = (body: (value: string) => object) => (value: string) => ({ body: body(value) });
const form = (value: string) => ({
  form: { file: { bytes: Buffer.from(`Text ${value}`), name: "book.txt" } },
});

const named = json((name) => ({ name }));
const firstNamed = json((firstName) => ({ firstName }));
const titled = json((titleEn) => ({ titleEn }));

/** All operations that take `If-Match`, deletions last. */
export const RECORD_CHANGES: readonly RecordChange[] = [
  { noun: "book", method: "put", body: titled },
  { noun: "book", method: "patch", body: titled },
  { noun: "translation", method: "post", body: json((title) => ({ languageCode: "es", title })) },
  { noun: "file", method: "put", body: form },
  { noun: "file", method: "patch", body: json((value) => ({ fileName: `${value}.txt` })) },
  { noun: "language", method: "put", body: named },
  { noun: "language", method: "patch", body: named },
  { noun: "channel", method: "put", body: named },
  { noun: "channel", method: "patch", body: named },
  { noun: "contact", method: "put", body: firstNamed },
  { noun: "contact", method: "patch", body: firstNamed },
  { noun: "webhook", method: "put", body: named },
  { noun: "webhook", method: "patch", body: named },
  ...NOUNS.map((noun) => ({ noun, method: "delete" }) as const),
];

/** @param app with RECIPE_SETTINGS */
export async function startRecordScene(app: TestApp): Promise<RecordScene> {
  const made = await createOneOfEverything(app);
  const client = await app.admin();
  const book = `/api/admin/books/${made.bookId}`;
  const paths = {
    book,
    translation: `${book}/translations/${made.languageId}`,
    file: `${book}/files/${made.fileId}`,
    language: `/api/admin/languages/${made.languageId}`,
    channel: `/api/admin/channels/${made.channelId}`,
    contact: `/api/admin/contacts/${made.contactId}`,
    webhook: `/api/admin/webhooks/${await createWebhook(client)}`,
  };
  const first = async (path: string, list: string) => (await client.get(path)).body[list]?.[0];
  const reads: Readonly<Record<Noun, () => Promise<VersionedRecord | undefined>>> = {
    book: async () => (await client.get(book)).body.book,
    translation: () => first(book, "translations"),
    file: () => first(`${book}/files`, "files"),
    language: () => first("/api/admin/languages", "languages"),
    channel: () => first("/api/admin/channels", "channels"),
    contact: async () => (await client.get(paths.contact)).body.contact,
    webhook: () => first("/api/admin/webhooks", "webhooks"),
  };
  return {
    client,
    paths,
    read: (noun) => reads[noun](),
    change({ noun, method, body }, headers, value = "other", by = client) {
      const path = method === "post" ? `${book}/translations` : paths[noun];
      return by.call(method, path, { headers, ...body?.(value) });
    },
  };
}

async function createWebhook(client: Client): Promise<string> {
  const given = { url: "http://127.0.0.1:9/", events: ["book.changed"] };
  return (await bodyOf(client.post("/api/admin/webhooks", given), 201)).id;
}
