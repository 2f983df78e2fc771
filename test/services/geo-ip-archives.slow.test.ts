/** Of anything that the provider sends instead of a City database, the old one stays byte for byte and in use. */
import type { ServerResponse } from "node:http";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, it } from "vitest";
import {
  type ArchiveEntry,
  createCityRecord,
  createUsualEntries,
  packTarGz,
  writeMmdb,
} from "../../tools/lib/mmdb-writer.ts";
import { asksForArchive, NEW_DATABASE } from "../support/geoip-provider.ts";
import { createGeoIpScene, expectProviderError, type GeoIpScene } from "../support/geoip-scene.ts";
import { hashBytes } from "../support/stored-files.ts";

const MEBIBYTE = 1024 * 1024;
const PLACES = { "81.2.69.0/24": createCityRecord("GB", "United Kingdom", "London") };

const mmdb: ArchiveEntry = { name: "GeoLite2-City_20260224/GeoLite2-City.mmdb", content: NEW_DATABASE };
const readme: ArchiveEntry = { name: "GeoLite2-City_20260224/README.txt", content: "Read me" };

/** An archive of one file with so many zeros, in little space: gzip files may follow each other and are one. */
async function zeros(name: string, mebibytes: number): Promise<Buffer> {
  const head = gunzipSync(await packTarGz([{ name }])).subarray(0, 512);
  head.write(`${(mebibytes * MEBIBYTE).toString(8).padStart(11, "0")} `, 124);
  head.fill(" ", 148, 156);
  const checksum = head.reduce((sum, byte) => sum + byte, 0);
  head.write(`${checksum.toString(8).padStart(6, "0")}\0 `, 148);
  const mebibyte = gzipSync(Buffer.alloc(MEBIBYTE));
  return Buffer.concat([gzipSync(head), ...Array.from({ length: mebibytes }, () => mebibyte)]);
}

describe("an archive is rejected", () => {
  it.each<[string, RegExp, ArchiveEntry[]]>([
    ["no database", /contains no database/, [readme]],
    ["a folder named like a database", /no database/, [{ name: "a.mmdb/", type: "directory" }]],
    ["two databases", /more than one/, [mmdb, { ...mmdb, name: "x/GeoLite2-City.MMDB" }]],
    ["a symbolic link", /plain files/, [{ name: "a.mmdb", type: "symlink", linkname: "/etc/passwd" }]],
    ["a hard link", /plain files/, [mmdb, { name: "a.mmdb", type: "link", linkname: "auth-secret" }]],
    ["a pipe", /plain files/, [{ name: "a", type: "fifo" }, mmdb]],
    ["a name outside", /plain files/, [{ ...mmdb, name: "../../GeoLite2-City.mmdb" }]],
    ["a name outside, in its middle", /plain files/, [mmdb, { ...readme, name: "a/../../b.txt" }]],
    ["an absolute name", /plain files/, [{ ...mmdb, name: "/tmp/GeoLite2-City.mmdb" }]],
    ["a name of Windows", /plain files/, [{ ...mmdb, name: "..\\GeoLite2-City.mmdb" }]],
    ["an empty database", /not a MaxMind database/, createUsualEntries(Buffer.alloc(0))],
    ["half a database", /not a MaxMind database/, createUsualEntries(NEW_DATABASE.subarray(0, 500))],
    [
      "a damaged database",
      /damaged|no countries/,
      createUsualEntries(Buffer.concat([Buffer.alloc(900, 0x77), NEW_DATABASE.subarray(900)])),
    ],
    [
      "a Country database",
      /not a City database/,
      createUsualEntries(writeMmdb(PLACES, { type: "GeoLite2-Country" })),
    ],
    [
      "a City database without places",
      /contains no countries/,
      createUsualEntries(writeMmdb({ "81.2.69.0/24": { traits: { is_anycast: true } } })),
    ],
  ])("with %s", async (_, words, entries) => {
    const at = await createGeoIpScene();
    await at.provider.offer(entries);
    await expectProviderError(at, words);
  });

  it.each<[string, RegExp, (whole: Buffer) => Buffer | Promise<Buffer>]>([
    ["is empty", /damaged|no database/, () => Buffer.alloc(0)],
    ["is no archive", /damaged/, () => gzipSync(NEW_DATABASE)],
    ["is text", /damaged/, () => Buffer.from("Lorem ipsum dolor sit amet".repeat(100))],
    ["is cut off", /damaged/, (whole) => whole.subarray(0, -100)],
    [
      "was cut off before it was compressed",
      /damaged/,
      (whole) => gzipSync(gunzipSync(whole).subarray(0, 2048)),
    ],
    ["has another bit", /damaged/, (whole) => flipped(whole)],
    ["has texts that are a bomb", /archive is too large/, () => zeros("README.txt", 520)],
    ["has a database that is a bomb", /database is too large/, () => zeros("GeoLite2-City.mmdb", 520)],
  ])("that %s, even with the right checksum", async (_, words, damage) => {
    // What 520 MB expand to takes a busy machine longer than the limit of other scenes.
    const at = await createGeoIpScene({ totalTimeoutMs: 60_000 });
    await at.provider.offer(await damage(at.provider.archive));
    await expectProviderError(at, words);
  });

  it.each<[string, RegExp, string]>([
    ["is another's", /doesn't match the provider's checksum/, hashBytes(Buffer.from("x"))],
    ["is too short", /checksum is malformed/, "0123456789abcdef"],
    ["never ends", /more than 1024 bytes/, "a".repeat(5000)],
  ])("if the checksum %s", async (_, words, checksum) => {
    const at = await createGeoIpScene();
    at.provider.checksum = checksum;
    await expectProviderError(at, words);
  });
});

function flipped(whole: Buffer): Buffer {
  const middle = Math.floor(whole.length / 2);
  const bytes = Buffer.from(whole);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  return bytes;
}

describe("a provider fails", () => {
  it.each<[string, RegExp, (at: GeoIpScene) => unknown]>([
    [
      "with status 401 for the key",
      /status 401/,
      ({ provider }) => (provider.misbehave = (_, response) => response.writeHead(401).end("words")),
    ],
    [
      "with status 503 at the storage",
      /status 503/,
      (at) => sending(at, (_, response) => response.writeHead(503).end("words")),
    ],
    ["without a response", /did not respond in time/, ({ provider }) => (provider.misbehave = () => {})],
    [
      "by a stop in the middle",
      /did not respond in time/,
      (at) => sending(at, (half, response) => response.writeHead(200).write(half)),
    ],
    [
      "by hanging up in the middle",
      /connection .* failed/,
      (at) => sending(at, (half, response) => response.writeHead(200).write(half, () => response.destroy())),
    ],
    [
      "with a page",
      /a web page/,
      (at) =>
        sending(at, (_, response) =>
          response.writeHead(200, { "content-type": "text/html" }).end("<h1>Log in</h1>"),
        ),
    ],
    [
      "with a page that is called an archive",
      /damaged/,
      (at) => sending(at, (_, response) => response.writeHead(200).end("<h1>Log in</h1>")),
    ],
  ])("%s", async (_, words, prepare) => {
    const at = await createGeoIpScene({ idleTimeoutMs: 400 });
    prepare(at);
    await expectProviderError(at, words);
  });
});

/** Leaves the response to the request for the archive to `respond`, with half of the archive. */
function sending({ provider }: GeoIpScene, respond: (half: Buffer, response: ServerResponse) => void): void {
  provider.misbehaveInStorage = (request, response) => {
    if (!asksForArchive(request)) return false;
    respond(provider.archive.subarray(0, provider.archive.length / 2), response);
  };
}
