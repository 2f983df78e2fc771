/** DELIVERY=accel with examples/nginx/bookdist.conf, which nginx runs as another user of the service's group. */
import { chmodSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { FormData } from "undici";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import {
  has,
  openCatalogue,
  publish,
  requestLink,
  type Scene,
  startBehind,
  startNginx,
} from "./support/proxies.ts";
import { createTempFolder } from "./support/temp-folder.ts";

const TIMEOUT = 120_000;
const CONTENT = Buffer.alloc(3 * 2 ** 20 + 7, "A line of a long text.\n");
const ACCEL = { DELIVERY: "accel", FILES_MODE: "group", DOWNLOAD_TOKEN_TTL_SECONDS: "60" };
/** What the service sends with a file, and nginx in its place. */
const SECURITY = [
  "content-security-policy",
  "x-content-type-options",
  "x-robots-tag",
  "referrer-policy",
  "cross-origin-resource-policy",
  "strict-transport-security",
  "cache-control",
  "content-type",
  "content-disposition",
  "accept-ranges",
];

/** A book with one file behind nginx, whose processes aren't of the service's user. */
async function start(variables: Record<string, string> = {}) {
  const folder = createTempFolder();
  chmodSync(folder, 0o755);
  const at = await startBehind(
    onTestFinished,
    (...at) => {
      // Of the folders above, which only the test has.
      chmodSync(dirname(at[3]), 0o755);
      return startNginx("nginx/bookdist.conf", { folder, user: "www-data root" }, ...at);
    },
    { ...ACCEL, ...variables },
  );
  const cookie = await openCatalogue(at);
  const book = await publish(at, cookie, "Колодец", CONTENT);
  const link = await requestLink(at, book.slug);
  return { ...at, cookie, book, link };
}

const replace = async (
  { send, cookie, book }: Awaited<ReturnType<typeof start>>,
  content: Buffer<ArrayBuffer>,
) => {
  const body = new FormData();
  body.set("languageCode", "en");
  body.set("file", new Blob([content]), "book.txt");
  const files = `/api/admin/books/${book.id}/files`;
  expect((await send(files, { method: "POST", headers: { cookie }, body })).status).toBe(201);
};

type Response = Awaited<ReturnType<Scene["send"]>>;

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
const valuesOf = ({ headers }: Response, names = SECURITY) => names.map((name) => [name, headers.get(name)]);

describe.runIf(has("nginx") && has("openssl") && process.getuid?.() === 0)(
  "nginx with DELIVERY=accel",
  () => {
    it("sends the file with the headers of the service, and validators of its own", {
      timeout: TIMEOUT,
    }, async () => {
      const { send, link, server, dataDir } = await start();
      const whole = await send(link);
      expect([whole.status, whole.headers.get("content-length")]).toEqual([200, String(CONTENT.length)]);
      expect((await bytesOf(whole)).equals(CONTENT)).toBe(true);
      expect(whole.headers.get("x-accel-redirect")).toBeNull();
      expect(whole.headers.get("content-disposition")).toContain("filename*=UTF-8''%D0%9A");

      const etag = whole.headers.get("etag") ?? "";
      const stored = readdirSync(join(dataDir, "files"), { recursive: true }).map(String);
      const path = stored.find((name) => /[0-9a-f]{64}$/.test(name)) ?? "";
      const seconds = Math.floor(statSync(join(dataDir, "files", path)).mtimeMs / 1000);
      expect(etag).toBe(`"${seconds.toString(16)}-${CONTENT.length.toString(16)}"`);
      const head = await send(link, { method: "HEAD" });
      const validators = ["etag", "last-modified", "content-length"];
      expect([head.status, valuesOf(head, validators)]).toEqual([200, valuesOf(whole, validators)]);
      expect(valuesOf(head)).toEqual(valuesOf(whole));

      // Several ranges come from the service itself.
      const own = await send(link, { headers: { range: "bytes=0-0,9-9" } });
      expect(own.headers.get("etag")).not.toBe(etag);
      expect(valuesOf(whole)).toEqual(valuesOf(own));
      await own.arrayBuffer();

      // nginx's response has the number of the service's log line.
      await server.end();
      const requestId = whole.headers.get("x-request-id");
      expect(server.lines.find(({ id }) => id === requestId)).toMatchObject({ status: 200, method: "GET" });
    });

    it("sends ranges and conditions by its tag, and several sites may read it", {
      timeout: TIMEOUT,
    }, async () => {
      const { send, link } = await start();
      const etag = (await send(link, { method: "HEAD" })).headers.get("etag") ?? "";
      for (const ifRange of [undefined, etag]) {
        const headers = { range: "bytes=7-", ...(ifRange !== undefined && { "if-range": ifRange }) };
        const part = await send(link, { headers });
        expect([part.status, part.headers.get("content-range"), part.headers.get("etag")]).toEqual([
          206,
          `bytes 7-${CONTENT.length - 1}/${CONTENT.length}`,
          etag,
        ]);
        expect((await bytesOf(part)).equals(CONTENT.subarray(7))).toBe(true);
      }
      expect((await send(link, { headers: { "if-none-match": etag } })).status).toBe(304);
      expect((await send(link, { headers: { "if-match": '"other"' } })).status).toBe(412);
      const stale = await send(link, { headers: { range: "bytes=7-", "if-range": '"other"' } });
      expect([stale.status, (await bytesOf(stale)).length]).toEqual([200, CONTENT.length]);
      const bad = await send(link, { headers: { range: `bytes=${CONTENT.length}-` } });
      expect([bad.status, await bad.json()]).toEqual([
        416,
        expect.objectContaining({ code: "range_not_satisfiable" }),
      ]);

      const site = await send(link, { headers: { origin: "https://www.example.org" } });
      expect(site.headers.get("access-control-allow-origin")).toBe("https://www.example.org");
      expect(site.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
      await site.arrayBuffer();
    });

    it("never joins two versions, also of one length and one second", { timeout: TIMEOUT }, async () => {
      const at = await start();
      const { send, link } = at;
      const first = await send(link, { headers: { range: "bytes=0-99" } });
      expect((await bytesOf(first)).equals(CONTENT.subarray(0, 100))).toBe(true);
      const second = Buffer.alloc(CONTENT.length, "Another line of text.\n");
      await replace(at, second);
      for (const tag of [first.headers.get("etag") ?? "", '"other"', undefined]) {
        const headers = { range: "bytes=100-", ...(tag !== undefined && { "if-range": tag }) };
        const rest = await send(link, { headers });
        expect([rest.status, (await bytesOf(rest)).equals(second)]).toEqual([200, true]);
      }
      expect((await bytesOf(await send(link))).equals(second)).toBe(true);
    });

    it("sends the ZIP of a language, and resumes it", { timeout: TIMEOUT }, async () => {
      const { send, post } = await start();
      const contact = { email: "sara@example.net", firstName: "Sara" };
      const submitted = await post("/api/download/submit-all", { languageCode: "en", contact });
      const { downloadUrl } = z.object({ downloadUrl: z.string() }).parse(await submitted.json());
      const whole = await send(downloadUrl);
      const zip = await bytesOf(whole);
      expect([whole.status, whole.headers.get("content-type"), zip.length > CONTENT.length]).toEqual([
        200,
        "application/zip",
        true,
      ]);
      const etag = whole.headers.get("etag") ?? "";
      expect(etag).toMatch(/^"[0-9a-f]+-[0-9a-f]+"$/);
      for (let time = 0; time < 2; time += 1) {
        const rest = await send(downloadUrl, { headers: { range: "bytes=1000-", "if-range": etag } });
        expect([rest.status, (await bytesOf(rest)).equals(zip.subarray(1000))]).toEqual([206, true]);
      }
    });

    it("lets no request reach the folder, and nothing after the link has ended", {
      timeout: TIMEOUT,
    }, async () => {
      const { send, link, cookie, book, dataDir } = await start({ DOWNLOAD_TOKEN_TTL_SECONDS: "10" });
      const stored = readdirSync(join(dataDir, "files"), { recursive: true }).map(String);
      const path = stored.find((name) => /[0-9a-f]{64}$/.test(name)) ?? "";
      for (const wanted of [
        `/protected/files/${path}`,
        `/protected/files/../files/${path}`,
        `//protected/files/${path}`,
        "/protected/auth-secret",
        "/protected/database.sqlite",
        `/api/../protected/files/${path}`,
        `/api/download/..%2f..%2fprotected%2ffiles%2f${path}`,
      ]) {
        const { status } = await send(wanted, {
          headers: { "x-accel-redirect": `/protected/files/${path}` },
        });
        expect([wanted, status]).toEqual([wanted, 404]);
      }
      const wrong = await send(`${link}x`, { headers: { "x-accel-redirect": `/protected/files/${path}` } });
      expect([wrong.status, await wrong.json()]).toEqual([404, expect.objectContaining({ status: 404 })]);
      expect(
        (await send(`/api/admin/books/${book.id}`, { method: "DELETE", headers: { cookie } })).status,
      ).toBe(200);
      const withdrawn = await send(link);
      expect([withdrawn.status, await withdrawn.json()]).toEqual([
        404,
        expect.objectContaining({ code: "file_unavailable" }),
      ]);
      await expect
        .poll(async () => (await send(link)).status, { timeout: TIMEOUT / 2, interval: 2000 })
        .toBe(410);
    });
  },
);
