/** Whatever the provider sends in place of a City database: the old one stays byte for byte and in use. */
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { brotliCompressSync, gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { unpackDatabase } from "../../src/adapters/geo-ip/archive.ts";
import { AppError } from "../../src/errors.ts";
import {
  type ArchiveEntry,
  asksForArchive,
  type GeoIpProviderHost,
  NEW_DATABASE,
  sha256Of,
  tarGz,
  usualEntries,
} from "../support/geoip-provider.ts";
import {
  expectOldDatabase,
  expectProviderError,
  type GeoIpScene,
  geoIpScene,
  refreshError,
} from "../support/geoip-scene.ts";
import { cityRecord, writeMmdb } from "../support/mmdb-writer.ts";

const MEBIBYTE = 1024 * 1024;
const NETWORK = "81.2.69.0/24";
const PLACE = cityRecord("GB", "United Kingdom", "London");

const mmdb: ArchiveEntry = { name: "GeoLite2-City_20260224/GeoLite2-City.mmdb", content: NEW_DATABASE };
const readme: ArchiveEntry = { name: "GeoLite2-City_20260224/README.txt", content: "Read me" };

/** An archive of one file with so many zeros, in little space: gzip files may follow each other and are one. */
async function zeros(name: string, mebibytes: number): Promise<Buffer> {
  const head = gunzipSync(await tarGz([{ name }])).subarray(0, 512);
  head.write(`${(mebibytes * MEBIBYTE).toString(8).padStart(11, "0")} `, 124);
  head.fill(" ", 148, 156);
  const checksum = head.reduce((sum, byte) => sum + byte, 0);
  head.write(`${checksum.toString(8).padStart(6, "0")}\0 `, 148);
  const mebibyte = gzipSync(Buffer.alloc(MEBIBYTE));
  return Buffer.concat([gzipSync(head), ...Array.from({ length: mebibytes }, () => mebibyte)]);
}

describe("an archive is rejected, and the old database stays,", () => {
  it.each<[string, RegExp, () => ArchiveEntry[]]>([
    ["with no database", /contains no database/, () => [readme]],
    ["with nothing in it", /contains no database/, () => []],
    [
      "with a folder that is called like one",
      /contains no database/,
      () => [{ name: "a.mmdb/", type: "directory" }],
    ],
    ["with two databases", /more than one/, () => [mmdb, { ...mmdb, name: "x/GeoLite2-City.MMDB" }]],
    [
      "with a symbolic link for the database",
      /plain files/,
      () => [{ name: "a.mmdb", type: "symlink", linkname: "/etc/passwd" }],
    ],
    [
      "with a hard link for the database",
      /plain files/,
      () => [{ name: "a.mmdb", type: "link", linkname: "auth-secret" }],
    ],
    [
      "with a link beside the database",
      /plain files/,
      () => [mmdb, { name: "a", type: "symlink", linkname: ".." }],
    ],
    [
      "with a device",
      /plain files/,
      () => [{ name: "a.mmdb", type: "character-device", devmajor: 1, devminor: 9 }],
    ],
    ["with a pipe", /plain files/, () => [{ name: "a", type: "fifo" }, mmdb]],
    ["with a name that leads outside", /plain files/, () => [{ ...mmdb, name: "../../GeoLite2-City.mmdb" }]],
    [
      "with a name that leads outside in its middle",
      /plain files/,
      () => [{ ...mmdb, name: "a/../../b.mmdb" }],
    ],
    ["with an absolute name", /plain files/, () => [{ ...mmdb, name: "/tmp/GeoLite2-City.mmdb" }]],
    ["with a name of Windows", /plain files/, () => [{ ...mmdb, name: "..\\GeoLite2-City.mmdb" }]],
    [
      "with such a name beside the database",
      /plain files/,
      () => [mmdb, { ...readme, name: "../README.txt" }],
    ],
    ["with too many entries", /too many entries/, () => [...Array.from({ length: 100 }, () => readme), mmdb]],
    ["with an empty database", /is not a MaxMind database/, () => [{ ...mmdb, content: "" }]],
    ["with text for a database", /is not a MaxMind database/, () => [{ ...mmdb, content: "text" }]],
    [
      "with half a database",
      /is not a MaxMind database/,
      () => [{ ...mmdb, content: NEW_DATABASE.subarray(0, NEW_DATABASE.length / 2) }],
    ],
    [
      "with the end of a database",
      /is incomplete/,
      () => [{ ...mmdb, content: NEW_DATABASE.subarray(-400) }],
    ],
    [
      "with damaged metadata",
      /damaged|not supported/,
      () => [{ ...mmdb, content: Buffer.concat([NEW_DATABASE.subarray(0, -20), Buffer.alloc(20, 0xff)]) }],
    ],
    [
      "with a damaged tree",
      /damaged|no countries/,
      () => [{ ...mmdb, content: Buffer.concat([Buffer.alloc(900, 0x77), NEW_DATABASE.subarray(900)]) }],
    ],
    [
      "with a Country database",
      /is not a City database/,
      () => usualEntries(writeMmdb({ [NETWORK]: PLACE }, { type: "GeoLite2-Country" })),
    ],
    [
      "with an ASN database",
      /is not a City database/,
      () =>
        usualEntries(writeMmdb({ [NETWORK]: { autonomous_system_number: 20712 } }, { type: "GeoLite2-ASN" })),
    ],
    [
      "with a City database without places",
      /contains no countries/,
      () => usualEntries(writeMmdb({ [NETWORK]: { traits: { is_anycast: true } } })),
    ],
  ])("%s", async (_, words, entries) => {
    const at = await geoIpScene();
    await at.provider.offer(entries());
    await expectProviderError(at, words);
  });

  it.each<[string, RegExp, (whole: Buffer) => Buffer | Promise<Buffer>]>([
    ["when it is empty", /damaged|no database/, () => Buffer.alloc(0)],
    ["when it isn't compressed", /damaged/, gunzipSync],
    ["when it is no archive", /damaged/, () => gzipSync(NEW_DATABASE)],
    ["when it is random", /damaged/, () => Buffer.from("Lorem ipsum dolor sit amet".repeat(100))],
    ["when it is cut off", /damaged/, (whole) => whole.subarray(0, -100)],
    [
      "when it was cut off before it was compressed",
      /damaged/,
      (whole) => gzipSync(gunzipSync(whole).subarray(0, 2048)),
    ],
    ["when one bit has changed", /damaged/, (whole) => flipped(whole)],
    ["when something follows", /damaged/, (whole) => Buffer.concat([whole, Buffer.from("\x1f\x8bmore")])],
    ["when its texts are a bomb", /unpacked archive is too large/, () => zeros("README.txt", 520)],
    ["when its database is a bomb", /too large/, () => zeros("GeoLite2-City.mmdb", 520)],
  ])("%s, though the checksum is right", async (_, words, damage) => {
    const at = await geoIpScene();
    await at.provider.offer(await damage(at.provider.archive));
    await expectProviderError(at, words);
  });

  it.each<[string, RegExp, (at: GeoIpScene) => unknown]>([
    [
      "when the checksum is another's",
      /doesn't match the provider's checksum/,
      ({ provider }) => (provider.checksum = sha256Of(Buffer.from("x"))),
    ],
    ["when the checksum is empty", /checksum is malformed/, ({ provider }) => (provider.checksum = "")],
    [
      "when the checksum is too short",
      /checksum is malformed/,
      ({ provider }) => (provider.checksum = provider.checksum.slice(1)),
    ],
    [
      "when the checksum never ends",
      /more than 1024 bytes/,
      ({ provider }) => (provider.checksum = "a".repeat(5000)),
    ],
    [
      "when it was replaced after the checksum",
      /doesn't match the provider's checksum/,
      async ({ provider }) => (provider.archive = await tarGz([mmdb])),
    ],
  ])("%s", async (_, words, prepare) => {
    const at = await geoIpScene();
    await prepare(at);
    await expectProviderError(at, words);
  });
});

it("what the disk rejects is reported from what is wrong with the archive, and the rest isn't taken", async () => {
  const archive = Readable.from([await tarGz(usualEntries(NEW_DATABASE))]);
  const full = new AppError(500, "geoip_not_stored", "No room");
  const write = () => Promise.reject(full);
  await expect(unpackDatabase(archive, { write, received: () => {} })).rejects.toBe(full);
  expect(archive.destroyed).toBe(true);
});

function flipped(whole: Buffer): Buffer {
  const middle = Math.floor(whole.length / 2);
  const bytes = Buffer.from(whole);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  return bytes;
}

describe("a provider that doesn't give the archive leaves the old database,", () => {
  it.each([400, 401, 403, 404, 429, 500, 503])("with status %s at the key", async (status) => {
    const at = await geoIpScene();
    at.provider.misbehave = (_, response) => response.writeHead(status).end("words");
    await expectProviderError(at, `status ${status}`);
  });

  it.each([400, 403, 404, 500, 503])("with status %s at the storage", async (status) => {
    const at = await geoIpScene();
    at.provider.misbehaveInStorage = (request, response) =>
      asksForArchive(request) && response.writeHead(status).end("words");
    await expectProviderError(at, `status ${status}`);
  });

  it("with a key that isn't known", async () => {
    const at = await geoIpScene({ key: { accountId: "123456", licenseKey: "another" } });
    expect(await refreshError(at)).toMatchObject({
      status: 502,
      message: expect.stringContaining("status 401"),
    });
    await expectOldDatabase(at);
  });

  it.each<[string, RegExp, (at: GeoIpScene) => unknown]>([
    ["when it never answers", /did not respond in time/, ({ provider }) => (provider.misbehave = () => {})],
    [
      "when it stops in the middle",
      /did not respond in time/,
      (at) => sending(at, (half, response) => void response.write(half)),
    ],
    ["when it takes for ever", /took longer than/, (at) => sending(at, trickle)],
    [
      "when it hangs up in the middle",
      /connection .* failed/,
      (at) => sending(at, (half, response) => response.write(half, () => response.destroy())),
    ],
    [
      "when it ends too early",
      /connection .* failed/,
      (at) => sending(at, (half, response) => response.end(half)),
    ],
    [
      "when it sends a page",
      /a web page/,
      ({ provider }) => answering(provider, { "content-type": "text/html" }, "<h1>Log in</h1>"),
    ],
    [
      "when it calls a page an archive",
      /damaged/,
      ({ provider }) => answering(provider, { "content-type": "application/gzip" }, "<h1>Log in</h1>"),
    ],
    [
      "when it compresses the archive",
      /compressed file/,
      ({ provider }) =>
        answering(provider, { "content-encoding": "br" }, brotliCompressSync(provider.archive)),
    ],
    [
      "when it announces more than fits",
      /more than \d+ bytes/,
      ({ provider }) => answering(provider, { "content-length": `${257 * MEBIBYTE}` }, "x"),
    ],
    [
      "when it sends the service round in circles",
      /redirected more than/,
      ({ provider }) =>
        (provider.misbehaveInStorage = ({ url = "" }, response) =>
          response.writeHead(302, { location: url }).end()),
    ],
  ])("%s", async (_, words, prepare) => {
    const at = await geoIpScene({ idleTimeoutMs: 400, totalTimeoutMs: 1200 });
    prepare(at);
    await expectProviderError(at, words);
  });

  it("when there is none", async () => {
    const at = await geoIpScene({ url: "http://127.0.0.1:9/download?suffix=tar.gz" });
    expect(await refreshError(at)).toMatchObject({ status: 502, cause: { reason: "connection_failed" } });
    await expectOldDatabase(at);
  });
});

/** Answers the request for the archive with head and first half, and leaves the rest to `go`. */
function sending({ provider }: GeoIpScene, go: (half: Buffer, response: ServerResponse) => void): void {
  provider.misbehaveInStorage = (request, response) => {
    if (!asksForArchive(request)) return false;
    response.writeHead(200, { "content-length": provider.archive.length });
    go(provider.archive.subarray(0, provider.archive.length / 2), response);
  };
}

function trickle(half: Buffer, response: ServerResponse): void {
  let sent = 0;
  const timer = setInterval(() => response.write(half.subarray(sent, ++sent)), 50);
  response.on("close", () => clearInterval(timer));
}

function answering(
  provider: GeoIpProviderHost,
  headers: Record<string, string>,
  body: string | Buffer,
): void {
  provider.misbehaveInStorage = (request, response) =>
    asksForArchive(request) && response.writeHead(200, headers).end(body);
}
