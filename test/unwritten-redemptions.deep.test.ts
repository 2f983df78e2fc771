/** The real server is killed while downloads wait to be recorded: the next start records them. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { z } from "zod";
import { readSessionCookie, ServiceClient } from "../tools/lib/service-client.ts";
import { eventually } from "./support/eventually.ts";
import { ServiceProcess } from "./support/service-process.ts";
import { createTempFolder } from "./support/temp-folder.ts";

const ADMIN = { ADMIN_EMAIL: "anna@example.org", ADMIN_PASSWORD: "correct horse battery" };
const made = z.object({ id: z.string() });

async function publish(reader: ServiceClient): Promise<void> {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = ADMIN;
  const login = await reader.send("/api/auth/login", { method: "POST", json: { email, password } });
  const admin = reader.with({ cookie: readSessionCookie(login) });
  const language = { code: "en", name: "English", nativeName: "English" };
  await admin.send("/api/admin/languages", { method: "POST", json: language });
  const book = await admin.read("/api/admin/books", made, { method: "POST", json: { titleEn: "The Well" } });
  const body = new FormData();
  body.set("languageCode", "en");
  body.set("file", new Blob(["content"]), "book.txt");
  const upload = await admin.send(`/api/admin/books/${book.id}/files`, { method: "POST", body });
  expect(upload.status).toBe(201);
}

async function request(reader: ServiceClient, email: string): Promise<string> {
  const form = { slug: "the-well", languageCode: "en", contact: { email, firstName: "Sara" } };
  const submitted = await reader.send("/api/download/submit", { method: "POST", json: form });
  return z.object({ downloadUrl: z.string() }).parse(JSON.parse(submitted.bytes.toString())).downloadUrl;
}

it("downloads that were delivered before a kill are recorded by the next start, once", async () => {
  const dataDir = join(createTempFolder(), "data");
  const variables = { DATA_DIR: dataDir, ...ADMIN, RATE_LIMIT_SUBMIT: "0", RATE_LIMIT_DOWNLOAD: "0" };
  const first = new ServiceProcess(variables);
  const reader = new ServiceClient((await first.waitUntilReady()).base);
  await publish(reader);
  const links = [await request(reader, "a@example.org"), await request(reader, "b@example.org")];

  const other = new Database(join(dataDir, "database.sqlite"));
  const redeemed = () => other.prepare("select count(redeemedAt) from download_events").pluck().get();
  other.exec("begin immediate");
  const responses = await Promise.all(links.map((link) => reader.send(link)));
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  const file = join(dataDir, "unwritten-redemptions.jsonl");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await first.end("SIGKILL");
  other.exec("rollback");
  expect(redeemed()).toBe(0);

  const next = new ServiceProcess(variables);
  await next.waitUntilReady();
  await eventually(() => expect(redeemed()).toBe(2));
  await eventually(() => expect(existsSync(file)).toBe(false));
  expect(other.prepare("select sum(downloadCount) from book_files").pluck().get()).toBe(2);
  other.close();
});
