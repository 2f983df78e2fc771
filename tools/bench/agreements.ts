/**
 * What one instance has responded, asked at another one at once: changes of the catalogue, revoked keys and logouts,
 * 10,000 in all, of two instances on one PostgreSQL database.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { request } from "undici";
import { z } from "zod";
import { logIn } from "./administrator.ts";
import { startMeasured } from "./measured-process.ts";
import { startServer } from "./postgres.ts";
import type { BenchRow } from "./row.ts";
import { SERVICE_PROCESS, serviceFacts } from "./service-process.ts";

const CATALOGUE_CHANGES = 7000;
const REVOKED_KEYS = 2600;
/** Each needs a log-in, whose password is slow to check. */
const LOGOUTS = 400;
const LANES = 10;

type Headers = Record<string, string>;
type Method = "GET" | "POST" | "PUT" | "DELETE";
interface Call {
  port: number;
  path: string;
  method?: Method;
  headers: Headers;
  body?: object;
}

export async function run(): Promise<BenchRow[]> {
  await using opened = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "bench-agreements-"));
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  const server = opened.use(await startServer(folder));
  const url = await server.createDatabase("agreements");
  const ports: number[] = [];
  for (const kind of ["postgres", "instance"]) {
    const started = await startMeasured(SERVICE_PROCESS, [kind, url], serviceFacts);
    opened.defer(() => started.stop());
    ports.push(started.facts.port);
  }
  const [one = 0, another = 0] = ports;
  const admin = { cookie: await logIn(one) };
  const { books } = await ask(
    { port: one, path: "/api/admin/books?limit=50", headers: admin },
    200,
    bookList,
  );
  const rows: BenchRow[] = [];
  const measure = async (
    what: string,
    times: number,
    isStale: (lane: number, number: number) => Promise<boolean>,
  ) => {
    let stale = 0;
    const lanes = Array.from({ length: LANES }, async (_, lane) => {
      for (let number = 0; number < times / LANES; number += 1) if (await isStale(lane, number)) stale += 1;
    });
    await Promise.all(lanes);
    rows.push(agreementRow(what, times, stale));
  };
  await measure("changes of the catalogue", CATALOGUE_CHANGES, (lane, number) => {
    const id = books[lane]?.id ?? "";
    return isStaleTitle({ one, another, admin, id, titleEn: `Lane ${lane} change ${number}.` });
  });
  await measure("revoked keys", REVOKED_KEYS, () => isStaleKey(one, another, admin));
  await measure("logouts", LOGOUTS, () => isStaleSession(one, another));
  return rows;
}

const agreementRow = (what: string, tried: number, stale: number): BenchRow => ({
  what: `${what} that another instance sees on its next request`,
  ours: `${tried - stale} of ${tried}`,
  other: "",
  ratio: (tried - stale) / tried,
  bound: "all",
  ok: stale === 0,
});

const bookList = z.object({ books: z.array(z.object({ id: z.string() })) });
const newKey = z.object({ id: z.string(), key: z.string() });

interface TitleChange {
  one: number;
  another: number;
  admin: Headers;
  id: string;
  titleEn: string;
}

/** By the cached list of all books. */
async function isStaleTitle({ one, another, admin, id, titleEn }: TitleChange): Promise<boolean> {
  const change = {
    port: one,
    path: `/api/admin/books/${id}`,
    method: "PUT",
    headers: admin,
    body: { titleEn },
  } as const;
  await ask(change, 200, z.object({}));
  const { text } = await send({ port: another, path: "/api/books?limit=100", headers: {} });
  return !text.includes(JSON.stringify(titleEn));
}

async function isStaleKey(one: number, another: number, admin: Headers): Promise<boolean> {
  const keys = { port: one, path: "/api/admin/api-keys", headers: admin };
  const { id, key } = await ask({ ...keys, method: "POST", body: { name: "bench" } }, 201, newKey);
  const there = {
    port: another,
    path: "/api/admin/books?limit=1",
    headers: { authorization: `Bearer ${key}` },
  };
  await expectStatus(there, 200);
  await expectStatus({ ...keys, path: `${keys.path}/${id}`, method: "DELETE" }, 200);
  return (await send(there)).status !== 401;
}

async function isStaleSession(one: number, another: number): Promise<boolean> {
  const headers = { cookie: await logIn(one) };
  const there = { port: another, path: "/api/admin/books?limit=1", headers };
  await expectStatus(there, 200);
  await expectStatus({ port: one, path: "/api/auth/logout", method: "POST", headers }, 204);
  return (await send(there)).status !== 401;
}

async function ask<S extends z.ZodType>(call: Call, status: number, schema: S): Promise<z.output<S>> {
  return schema.parse(JSON.parse(await expectStatus(call, status)));
}

/** @returns the body */
async function expectStatus(call: Call, expected: number): Promise<string> {
  const { status, text } = await send(call);
  if (status !== expected) throw new Error(`${call.method ?? "GET"} ${call.path}: ${status} ${text}`);
  return text;
}

async function send({ port, path, method = "GET", headers, body }: Call) {
  const content = body && { body: JSON.stringify(body) };
  const type: Headers = body ? { "content-type": "application/json" } : {};
  const options = { method, headers: { ...headers, ...type }, ...content };
  const response = await request(`http://127.0.0.1:${port}${path}`, options);
  return { status: response.statusCode, text: await response.body.text() };
}

if (import.meta.main) console.table(await run());
