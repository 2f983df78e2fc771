/** What a run needs of a service: its settings, accounts and keys of each kind, and what makes requests of its document. */
import { join } from "node:path";
import { DownloadIds, Tokens } from "../../../src/adapters/tokens.ts";
import { UNLIMITED } from "../../lib/server-process.ts";
import { Document } from "../document.ts";
import { Aims, MAX_UPLOAD_BYTES } from "../requests/aims.ts";
import { Drafts } from "../requests/drafts.ts";
import { Catalogue } from "./catalogue.ts";
import { Keeper } from "./keeper.ts";
import type { Neighbour } from "./neighbour.ts";
import type { Connection } from "./send.ts";
import { ADMIN, createAccounts, Senders } from "./senders.ts";

const DOCUMENT = join(import.meta.dirname, "../../../openapi.json");

export const createSettings = (secret: string, neighbour: Neighbour) => ({
  AUTH_SECRET: secret,
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
  ...UNLIMITED,
  MAX_UPLOAD_BYTES: String(MAX_UPLOAD_BYTES),
  // Only with it is there a sitemap.
  PUBLIC_BASE_URL: "https://books.example.org",
  ...neighbour.variables,
});

/** @param cloud the origin of the host for links */
export async function prepare(connection: Pick<Connection, "send">, secret: string, cloud: string) {
  const document = Document.read(DOCUMENT);
  const past = new Tokens({ secret, purpose: "download", clock: { now: () => 0 } });
  const { token: expiredToken } = await past.issue(new DownloadIds({ secret }).seal(1), 1000);
  const catalogue = new Catalogue({ ...createAccounts(), cloud, expiredToken });
  const senders = new Senders(connection);
  await senders.logIn("admin", catalogue.admin);
  const keeper = new Keeper(connection, catalogue, senders.of("admin"));
  catalogue.admin.id = await keeper.readOwnId();
  await senders.prepare(keeper, catalogue);
  const aims = new Aims(new Drafts(document, catalogue), catalogue);
  return { document, catalogue, senders, keeper, aims };
}
