/** Files that lie in somebody's cloud: redirected to alone, fetched into a ZIP. */
import { EventEmitter, once } from "node:events";
import { readdirSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readZip } from "../../tools/lib/read-zip.ts";
import { type Host, startHost } from "../adapters/cloud-fetch-host.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { itInFolder } from "../support/on-s3.ts";
import { AGENTS, downloadCounts, findOnlyEvent, linkTo, linkToAll } from "../support/reader.ts";
import { hashBytes } from "../support/stored-files.ts";

const PDF = "%PDF-1.7 from the cloud";

/** A book whose only file is a link. */
async function cloudBook(app: TestApp, title: string, link: Record<string, unknown>): Promise<string> {
  const book = await app.make.book(title);
  return (await app.make.link(book.id, "en", { fileName: `${title}.pdf`, ...link })).id;
}

/** An application that may fetch from a host of the test's own. */
async function withHost(answer: RequestListener): Promise<{ app: TestApp; host: Host }> {
  const host = await startHost(answer);
  const app = await startApp({ CLOUD_FETCH_ALLOW_HOSTS: host.hostAndPort });
  await app.make.language("en");
  return { app, host };
}

const contents = async (zip: Buffer) =>
  (await readZip(zip)).map(({ name, bytes }) => [name, bytes.toString()]);

/** What the folders of the store and the cache hold, unfinished work included. */
const left = ({ dataDir }: TestApp) => [
  ...readdirSync(join(dataDir, "files"), { recursive: true }).filter(
    (name) => !/^(tmp|service-id|removed-sweep|..)$/.test(String(name)),
  ),
  ...readdirSync(join(dataDir, "cache")).filter((name) => name !== "covers"),
];

it.each([
  [
    "url",
    "https://files.example.org/b%C3%BCcher/بئر.pdf?x=1",
    /^https:\/\/files\.example\.org\/b%C3%BCcher\/%D8/,
  ],
  [
    "google_drive",
    "https://drive.google.com/file/d/1AbCdEfGhIjKlMnOpQrStUvWxYz012345/view?usp=sharing",
    /^https:\/\/drive\.usercontent\.google\.com\/download\?.*id=1AbCdEfGhIjKlMnOpQrStUvWxYz012345/,
  ],
  [
    "dropbox",
    "https://www.dropbox.com/scl/fi/abc/x.pdf?rlkey=k&dl=0",
    /^https:\/\/www\.dropbox\.com\/.*dl=1/,
  ],
  ["onedrive", "https://1drv.ms/b/s!AbCdEf", /^https:\/\/api\.onedrive\.com\/v1\.0\/shares\/u!/],
])("a single cloud file of %s is a redirect to its direct address", async (sourceType, cloudUrl, direct) => {
  const app = await startApp();
  await app.make.language("en");
  const fileId = await cloudBook(app, "The Well", { sourceType, cloudUrl, fileSizeBytes: 123 });
  const asked = { slug: "the-well", languageCode: "en" };
  const link = await linkTo(app.api, asked);
  const head = await app.api.head(link);
  const rest = await app.api.get(link, { Range: "bytes=100-" });
  expect([head.status, rest.status]).toEqual([302, 302]);
  expect((await findOnlyEvent(app)).redeemedAt).toBeNull();

  const answer = await app.api.get(link, { "User-Agent": AGENTS.chrome });
  expect(answer.status).toBe(302);
  expect(answer.headers.location).toMatch(direct);
  expect(answer.headers).toMatchObject({
    "cache-control": "private, no-store",
    "x-robots-tag": "noindex",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  });
  expect(answer.body).toHaveLength(0);
  expect(await findOnlyEvent(app)).toMatchObject({ redeemedAt: app.clock.now(), browserName: "Chrome" });
  expect(await downloadCounts(app)).toEqual({ [fileId]: 1 });
});

describe("cloud files in a ZIP", () => {
  itInFolder("are fetched once, including redirects, and kept with the ZIP", async () => {
    const { app, host } = await withHost((request, response) => {
      if (request.url?.startsWith("/moved")) response.writeHead(302, { Location: "/book.pdf" }).end();
      else response.writeHead(200, { "Content-Type": "application/pdf" }).end(PDF);
    });
    await app.make.published("Local", "en", "local text");
    await cloudBook(app, "Cloud", { cloudUrl: host.url("/moved") });
    const link = await linkToAll(app.api, "en");
    const first = await app.api.get(link);
    expect(await contents(first.body)).toEqual([
      ["01 - Local [en].txt", "local text"],
      ["02 - Cloud [en].pdf", PDF],
    ]);
    expect(host.requests).toHaveLength(2);
    const second = await app.api.get(link);
    expect(second.body.equals(first.body)).toBe(true);
    expect(second.headers.etag).toBe(first.headers.etag);
    expect(host.requests).toHaveLength(2);
    // Only the local file and the ZIP stay: what was fetched is in the ZIP.
    expect(left(app)).toHaveLength(2);
  });

  itInFolder(
    "delay the files after them, which stay until they are packed even if they are removed concurrently",
    async () => {
      const asked = new EventEmitter();
      const { app, host } = await withHost((_request, response) => {
        if (!asked.emit("request", response)) response.end(PDF);
      });
      await cloudBook(app, "Cloud", { cloudUrl: host.url("/cloud.pdf") });
      const link = await linkToAll(app.api, "en");
      await app.api.get(link);
      const { book, file } = await app.make.published("Local", "en", "local text");
      const held = once(asked, "request");
      const zip = app.api.get(link).then((answer) => answer);
      const [response] = await held;
      const admin = await app.admin();
      expect((await admin.delete(`/api/admin/books/${book.id}/files/${file.id}`)).status).toBe(200);
      response.end(PDF);
      expect(await contents((await zip).body)).toEqual([
        ["01 - Cloud [en].pdf", PDF],
        ["02 - Local [en].txt", "local text"],
      ]);
      expect(host.requests).toHaveLength(2);
      // Released by the deletion, for an hour.
      const released = hashBytes(Buffer.from("local text"));
      expect(left(app).filter((name) => !String(name).endsWith(".zip"))).toEqual([
        `${released.slice(0, 2)}/${released}`,
      ]);
    },
  );

  itInFolder(
    "that can't be fetched are listed in MISSING.txt, in a ZIP that is shared for ten minutes",
    async () => {
      let isBroken = true;
      const { app, host } = await withHost((request, response) => {
        if (!isBroken) response.end(PDF);
        else if (request.url?.startsWith("/gone")) response.writeHead(404).end();
        else if (request.url?.startsWith("/login")) {
          response.writeHead(200, { "Content-Type": "text/html" }).end("<html>Log in</html>");
        } else {
          response.writeHead(200, { "Content-Length": "1000" }).write("half of it");
          setTimeout(() => response.destroy(), 20);
        }
      });
      await app.make.published("Local", "en", "local text");
      for (const path of ["gone", "login", "broken"]) {
        await cloudBook(app, path, { cloudUrl: host.url(`/${path}`) });
      }
      const link = await linkToAll(app.api, "en");
      const first = await app.api.get(link);
      expect(first.status).toBe(200);
      expect(first.headers["content-length"]).toBe(String(first.body.length));
      const [local, missing, ...others] = await readZip(first.body);
      expect(others).toEqual([]);
      expect([local?.name, local?.bytes.toString()]).toEqual(["01 - Local [en].txt", "local text"]);
      expect(missing?.name).toBe("MISSING.txt");
      const lines = missing?.bytes.toString().split("\r\n") ?? [];
      expect(lines[0]).toBe("These files could not be fetched when this archive was created:");
      expect(lines.slice(2, 5).map((line) => line.split(": ")[0])).toEqual([
        "02 - gone [en].pdf",
        "03 - login [en].pdf",
        "04 - broken [en].pdf",
      ]);
      expect(missing?.bytes.toString()).not.toMatch(/s3cr3t|127\.0\.0\.1/);
      expect(JSON.stringify(app.logged)).not.toContain("s3cr3t");
      const asked = host.requests.length;
      isBroken = false;
      const again = await app.api.get(link);
      expect([again.headers.etag, again.body.equals(first.body)]).toEqual([first.headers.etag, true]);
      expect(host.requests).toHaveLength(asked);
      expect(left(app)).toHaveLength(2);

      app.clock.advance(10 * 60_000 - 1000);
      // The first link's ten minutes are nearly over.
      const anew = await linkToAll(app.api, "en");
      expect((await app.api.get(anew)).headers.etag).toBe(first.headers.etag);
      app.clock.advance(1000);
      const second = await app.api.get(anew);
      expect((await contents(second.body)).map(([name]) => name)).toEqual([
        "01 - Local [en].txt",
        "02 - gone [en].pdf",
        "03 - login [en].pdf",
        "04 - broken [en].pdf",
      ]);
      // Parts of the one and the other must never be joined.
      expect(second.headers.etag).not.toBe(first.headers.etag);
      const resume = { Range: "bytes=50-", "If-Range": first.headers.etag ?? "" };
      expect((await app.api.get(anew, resume)).status).toBe(200);
      expect(first.headers["last-modified"]).toBeUndefined();
    },
  );

  it("are not fetched from internal hosts, regardless of how the link was saved", async () => {
    const host = await startHost((_, response) => response.end("inside"));
    const app = await startApp({ CLOUD_FETCH_ALLOW_HOSTS: host.hostAndPort });
    await app.make.language("en");
    await cloudBook(app, "Cloud", { cloudUrl: host.url("/book.pdf") });
    // The same data, served by somebody who doesn't trust that host any more.
    const stricter = await startApp({}, { dataDir: app.dataDir });
    const answer = await stricter.api.get(await linkToAll(stricter.api, "en"));
    expect(await contents(answer.body)).toEqual([
      ["MISSING.txt", expect.stringContaining("01 - Cloud [en].pdf: ")],
    ]);
    expect(host.connections).toBe(0);
  });
});
