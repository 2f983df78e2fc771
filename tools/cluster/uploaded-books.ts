/** Books of phases of their own, with one stored file, which nothing else changes. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Response, ServiceClient } from "../lib/service-client.ts";
import { createBook, withFile } from "../recorder/book-state.ts";
import type { Ledger } from "../recorder/ledger.ts";
import { UPLOAD_LANGUAGES } from "../recorder/load/books.ts";

export interface UploadedBook {
  slug: string;
  languageCode: string;
  sha256: string;
  bytes: Uint8Array<ArrayBuffer>;
}

const [LANGUAGE = ""] = UPLOAD_LANGUAGES;
const made = z.object({ id: z.string() });
const link = z.object({ downloadUrl: z.string() });

/** A new book with this file. @returns undefined if the file isn't stored */
export async function uploadNew(
  ledger: Ledger,
  client: ServiceClient,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<UploadedBook | undefined> {
  const slug = `uploaded-${ledger.takeNextNumber()}`;
  const book = createBook(slug);
  const created = await ledger.write(client, {
    path: "/api/admin/books",
    request: { method: "POST", json: { slug, titleEn: slug } },
    begin: (requestId) => [ledger.books.begin(slug, book, requestId)],
    lines: 1,
  });
  if (!created) return undefined;
  const { id } = made.parse(JSON.parse(created.bytes.toString()));
  const [place, sha256] = [{ languageCode: LANGUAGE, fileType: "txt" }, ledger.remember(bytes)];
  const form = new FormData();
  form.set("languageCode", place.languageCode);
  form.set("fileType", place.fileType);
  form.set("file", new Blob([bytes]), `${slug}.txt`);
  const next = withFile(book, { ...place, content: sha256 });
  const stored = await ledger.write(client, {
    path: `/api/admin/books/${id}/files`,
    request: { method: "POST", body: form },
    begin: (requestId) => [ledger.books.begin(slug, next, requestId)],
    lines: 1,
  });
  return stored && { slug, languageCode: place.languageCode, sha256, bytes };
}

/** Asks for the book and fetches it once, so that nothing changes when its link is used again. @returns the link */
export async function redeemLink(
  ledger: Ledger,
  client: ServiceClient,
  { slug, languageCode, bytes }: UploadedBook,
): Promise<string> {
  const [campaign, email] = [randomUUID(), `uploaded-${ledger.takeNextNumber()}@example.org`];
  const submitted = await ledger.write(client, {
    path: `/api/download/submit?utm_campaign=${campaign}`,
    request: { method: "POST", json: { slug, languageCode, contact: { email, firstName: "Sara" } } },
    begin: () => [
      ledger.contacts.begin(email, 1),
      ledger.events.begin(campaign, { email, isRedeemed: false }),
    ],
    lines: 0,
  });
  if (!submitted) throw new Error(`There is no link to ${slug}`);
  const { downloadUrl } = link.parse(JSON.parse(submitted.bytes.toString()));
  const fetched = await ledger.write(client, {
    path: downloadUrl,
    request: { method: "GET" },
    begin: () => [ledger.events.begin(campaign, { email, isRedeemed: true })],
    lines: 0,
  });
  if (!fetched || !isWhole(fetched, bytes)) throw new Error(`${slug} can't be downloaded`);
  const { pathname, search } = new URL(downloadUrl, "http://127.0.0.1");
  return `${pathname}${search}`;
}

export const isWhole = ({ status, bytes }: Response, expected: Uint8Array): boolean =>
  status === 200 && bytes.equals(expected);
