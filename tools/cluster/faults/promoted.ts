/** A fail-over to an asynchronous standby that lacks the last commits: what instances have kept of these must not be shown. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { analyticsSummary } from "../../../src/schemas/analytics-reports.schemas.ts";
import { publicBookList } from "../../../src/schemas/public.schemas.ts";
import { onServer, type PostgresProcess } from "../../lib/postgres-process.ts";
import { freePort } from "../../lib/server-process.ts";
import { CutOff, readJson, type ServiceClient } from "../../lib/service-client.ts";
import { SLUG } from "../../recorder/linked-book.ts";
import { LINK_LANGUAGE } from "../../recorder/load/bulk.ts";
import type { Context } from "./fault.ts";

const LOST_CHANGES = 5;
/** More than a server counts ahead in its sequences, so that ids are used again. */
const LOST_FORMS = 40;
/** After it, nothing that is read differs from SQL. */
const NOTICED_MS = 5000;
const OBSERVED_MS = 15_000;
/** Until the connections are replaced; the probes measure that. */
const CAUGHT_UP_MS = 20_000;

const LIST = `/api/books?languageCode=${LINK_LANGUAGE}&limit=200`;
const REPORT = "/api/admin/analytics/summary";

/** What the last commits have changed and nothing else does. */
interface State {
  title: string | undefined;
  downloads: number;
}

export async function promoteStandby(context: Context): Promise<void> {
  const { servers, recorder } = context;
  const { instances, haproxy, folder } = servers;
  const primary = servers.database;
  const standby = await primary.createStandby({ folder: join(folder, "standby"), port: await freePort(0) });
  const written = (await readSql(primary)).downloads;
  for (
    const until = performance.now() + CAUGHT_UP_MS;
    (await readSql(standby)).downloads < written;
    await sleep(50)
  )
    if (performance.now() > until) throw new Error("The standby doesn't catch up");
  await standby.cutReplication();
  await writeLost(recorder.callers(haproxy.base));
  const admins = instances.names.map((_, index) => recorder.callers(instances.base(index)).admin);
  const kept = await Promise.all(admins.map(readService));
  if (kept.some(({ title }) => title !== lostTitle(LOST_CHANGES)))
    throw new Error(`The lost changes aren't kept: ${JSON.stringify(kept)}`);
  await primary.crash();
  await standby.promote();
  servers.database = standby;
  for (const index of instances.names.keys()) {
    instances.proxy(index).redirect(standby.url);
    instances.proxy(index).reset();
  }
  context.meanwhile(async () => {
    const found = await Promise.all(
      admins.map((admin, index) => compareLong(context, admin, instances.names[index] ?? "")),
    );
    return found.flat();
  });
}

const lostTitle = (number: number): string => `Lost ${number}`;

/** Beside the ledger, which expects that nothing is lost. */
async function writeLost({ admin, reader }: Record<"admin" | "reader", ServiceClient>): Promise<void> {
  for (let number = 1; number <= LOST_CHANGES; number += 1) {
    const translations = [{ languageCode: LINK_LANGUAGE, title: lostTitle(number) }];
    const json = { books: [{ slug: SLUG, titleEn: "Probed", translations }] };
    const { status } = await admin.send("/api/admin/books/bulk", { method: "POST", json });
    if (status !== 200) throw new Error(`A change was answered with ${status}`);
  }
  for (let number = 1; number <= LOST_FORMS; number += 1) {
    const contact = { email: `lost-${number}@example.org`, firstName: "Sara" };
    const json = { slug: SLUG, languageCode: LINK_LANGUAGE, contact };
    const { status } = await reader.send("/api/download/submit", { method: "POST", json });
    if (status !== 200) throw new Error(`A form was answered with ${status}`);
  }
}

/** @returns what differs from SQL later than it may; forms are sent meanwhile, so reports are between two counts */
async function compareLong(
  { servers, slack }: Context,
  admin: ServiceClient,
  name: string,
): Promise<string[]> {
  const since = performance.now();
  let respondsSince: number | undefined;
  while (performance.now() - since < OBSERVED_MS * slack) {
    const before = await readSql(servers.database);
    const shown = await readService(admin).catch((error: unknown) => {
      if (error instanceof CutOff) return undefined;
      throw error;
    });
    const after = await readSql(servers.database);
    if (shown) {
      respondsSince ??= performance.now();
      const isRight =
        shown.title === after.title &&
        shown.downloads >= before.downloads &&
        shown.downloads <= after.downloads;
      if (!isRight && performance.now() - respondsSince > NOTICED_MS)
        return [`${name} shows ${JSON.stringify(shown)}, SQL ${JSON.stringify(after)}`];
    }
    await sleep(200);
  }
  return respondsSince === undefined ? [`${name} has shown nothing after the fail-over`] : [];
}

/** @throws CutOff while the database is away */
async function readService(admin: ServiceClient): Promise<State> {
  const [list, report] = [await admin.send(LIST), await admin.send(REPORT)];
  if (list.status === 503 || report.status === 503) throw new CutOff("503");
  const { books } = readJson(list, publicBookList, LIST);
  const { totals } = readJson(report, analyticsSummary, REPORT);
  return { title: books.find(({ slug }) => slug === SLUG)?.title, downloads: totals.downloads };
}

const row = z.tuple([z.object({ title: z.string(), downloads: z.coerce.number() })]);

const readSql = ({ url }: PostgresProcess): Promise<State> =>
  onServer(url, async (client) => {
    const { rows } = await client.query(
      `select t.title, (select count(*) from download_events where "isBot" = 0) as downloads
         from translations t join books b on b.id = t."bookId" where b.slug = $1`,
      [SLUG],
    );
    return row.parse(rows)[0];
  });
