/** Readers: they ask for a book or for all of a language, fetch it, and some want to be forgotten. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { contactList } from "../../../src/schemas/contacts.schemas.ts";
import { readZip } from "../../lib/read-zip.ts";
import type { Response, ServiceClient } from "../../lib/service-client.ts";
import { formatReported, hashOf, type WorkerDeps } from "../ledger.ts";
import { UPLOAD_LANGUAGES } from "./books.ts";

const READERS = 12;
/** With more than this the erasure of a reader takes several transactions. */
const MAX_EVENTS = 20;

const link = z.object({ downloadUrl: z.string() });

interface ReaderWorkerDeps extends WorkerDeps {
  /** Forgets readers. A reader needs no credential. */
  admin: ServiceClient;
  name: string;
}

export class ReaderWorker {
  readonly #deps: ReaderWorkerDeps;

  constructor(deps: ReaderWorkerDeps) {
    this.#deps = deps;
  }

  async act(): Promise<void> {
    const email = `reader-${this.#deps.name}-${this.#deps.roll(READERS)}@example.org`;
    const times = this.#deps.ledger.contacts.getState(email) ?? 0;
    if (times >= MAX_EVENTS || (times > 0 && this.#deps.roll(25) === 0)) return this.#forget(email);
    const languageCode = UPLOAD_LANGUAGES[this.#deps.roll(UPLOAD_LANGUAGES.length)] ?? "";
    const isWhole = this.#deps.roll(8) === 0;
    const slug = this.#slugIn(languageCode);
    if (slug === undefined) return;
    const eventId = randomUUID();
    const form = { languageCode, contact: { email, firstName: "Sara" }, ...(!isWhole && { slug }) };
    const response = await this.#deps.ledger.write(this.#deps.client, {
      path: `/api/download/submit${isWhole ? "-all" : ""}?utm_campaign=${eventId}`,
      request: { method: "POST", json: form },
      begin: () => [
        this.#deps.ledger.contacts.begin(email, times + 1),
        this.#deps.ledger.events.begin(eventId, { email, isRedeemed: false }),
      ],
      lines: 0,
      // The book may have gone in the meantime.
      refusals: [404],
    });
    if (response && this.#deps.roll(3) > 0)
      await this.#fetch(eventId, link.parse(JSON.parse(`${response.bytes}`)), isWhole);
  }

  /** Some book that could be had in a language a moment ago. */
  #slugIn(languageCode: string): string | undefined {
    const offered = this.#deps.ledger.books.keys.filter((key) => {
      const book = this.#deps.ledger.books.getState(key);
      const isThere = book?.files.some((file) => file.languageCode === languageCode && file.isActive === 1);
      return key.startsWith("book-") && book?.isActive === 1 && isThere;
    });
    return offered[this.#deps.roll(Math.max(1, offered.length))];
  }

  async #fetch(eventId: string, { downloadUrl }: z.output<typeof link>, isZip: boolean): Promise<void> {
    const event = this.#deps.ledger.events.getState(eventId);
    if (!event) return;
    const response = await this.#deps.ledger.write(this.#deps.client, {
      path: downloadUrl,
      request: { method: "GET" },
      begin: () => [
        this.#deps.ledger.events.begin(eventId, {
          ...event,
          isRedeemed: this.#deps.ledger.isRedemptionNoted,
        }),
      ],
      lines: 0,
      // Gone in the meantime, or going while the ZIP is put together.
      refusals: isZip ? [404, 503] : [404],
    });
    const error = response && (await errorIn(response, isZip, this.#deps.ledger.contents));
    if (error) this.#deps.ledger.unexpected.push(`GET ${downloadUrl}: ${error}`);
  }

  async #forget(email: string): Promise<void> {
    const found = await this.#deps.admin.send(`/api/admin/contacts?search=${encodeURIComponent(email)}`);
    if (this.#deps.ledger.isOfDisk(found, "GET /api/admin/contacts")) return;
    if (found.status !== 200)
      return void this.#deps.ledger.unexpected.push(`The contacts: ${formatReported(found)}`);
    const { contacts } = contactList.parse(JSON.parse(found.bytes.toString()));
    const contact = contacts.find((each) => each.email === email);
    if (!contact) return void this.#deps.ledger.unexpected.push(`${email} isn't among the contacts`);
    const { events } = this.#deps.ledger;
    const own = events.keys.filter((key) => events.getState(key)?.email === email);
    await this.#deps.ledger.write(this.#deps.admin, {
      path: `/api/admin/contacts/${contact.id}`,
      request: { method: "DELETE" },
      begin: (requestId) => [
        this.#deps.ledger.contacts.begin(email, undefined, requestId),
        ...own.map((key) => {
          const isRedeemed = events.getState(key)?.isRedeemed ?? false;
          return events.begin(key, { email: "", isRedeemed });
        }),
      ],
      lines: 1,
    });
  }
}

/** What is wrong with the bytes of a download. */
async function errorIn(
  { bytes, headers }: Response,
  isZip: boolean,
  contents: ReadonlySet<string>,
): Promise<string | undefined> {
  if (isZip) {
    const unknown = (await readZip(bytes)).filter((entry) => !contents.has(hashOf(entry.bytes)));
    return unknown.length === 0 ? undefined : `no one has sent what is in ${unknown[0]?.name}`;
  }
  const sha256 = hashOf(bytes);
  const isRight = headers.get("etag") === `"${sha256}"` && contents.has(sha256);
  return isRight ? undefined : `the bytes have the hash ${sha256}, the tag is ${headers.get("etag")}`;
}
