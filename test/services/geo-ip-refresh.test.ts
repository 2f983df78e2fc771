/** Refreshing the City database: what is asked of the provider, and what happens meanwhile. */
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { GeoIpProvider } from "../../src/adapters/geo-ip/provider.ts";
import { GeoIpRefresh } from "../../src/services/geo-ip.ts";
import { startHost } from "../adapters/cloud-fetch-host.ts";
import {
  KEY,
  NEW_DATABASE,
  OLD_DATABASE,
  READER,
  RELEASED,
  SECRETS,
  usualEntries,
} from "../support/geoip-provider.ts";
import {
  expectNewDatabase,
  expectOldDatabase,
  type GeoIpScene,
  geoIpScene,
  refreshError,
} from "../support/geoip-scene.ts";

const unfinishedIn = (directory: string): string[] =>
  readdirSync(directory).filter((name) => name.endsWith(".part"));

describe("a refresh", () => {
  it("brings the newer database into place and into use, and says so in the log", async () => {
    const at = await geoIpScene();
    expect(at.geoIp.locate(READER).city).toBe("Boxford");
    expect(await at.refresh.run()).toEqual({ isReplaced: true, sizeBytes: NEW_DATABASE.length });
    expectNewDatabase(at);
    expect(statSync(at.file.path).mtime).toEqual(new Date(RELEASED));
    expect(at.logged.map(({ msg }) => msg)).toEqual([
      "downloading the City database",
      "replaced the City database",
    ]);
  });

  it("asks first whether there is something newer, and is sent on without the key", async () => {
    const at = await geoIpScene();
    await at.refresh.run();
    expect(at.provider.asked).toEqual(["HEAD tar.gz", "GET tar.gz.sha256", "GET tar.gz"]);
    expect(at.provider.storage.requests.map(({ method }) => method)).toEqual(["HEAD", "GET", "GET"]);
    for (const { headers } of at.provider.host.requests)
      expect(headers.authorization).toBe(`Basic ${SECRETS[1]}`);
    for (const { headers } of at.provider.storage.requests)
      expect(headers).not.toHaveProperty("authorization");
  });

  it("doesn't carry the key along when the same host sends it on", async () => {
    const at = await geoIpScene();
    at.provider.misbehave = ({ url }, response) =>
      response.writeHead(302, { location: `${url}&again` }).end();
    await refreshError(at);
    const credentials = at.provider.host.requests.map(({ headers }) => headers.authorization);
    expect(credentials).toEqual([`Basic ${SECRETS[1]}`, undefined, `Basic ${SECRETS[1]}`, undefined]);
  });

  it("downloads nothing when the newest is there already", async () => {
    const at = await geoIpScene();
    await at.refresh.run();
    const before = statSync(at.file.path);
    expect(await at.refresh.run()).toEqual({ isReplaced: false, sizeBytes: NEW_DATABASE.length });
    expect(at.provider.asked.slice(3)).toEqual(["HEAD tar.gz"]);
    expect(statSync(at.file.path)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
    expect(at.logged.at(-1)).toMatchObject({ msg: "the City database is up to date" });
  });

  it.each<[string, (at: GeoIpScene) => unknown]>([
    ["the provider says no time", ({ provider }) => (provider.lastModified = undefined)],
    ["the provider says nonsense", ({ provider }) => (provider.lastModified = "yesterday")],
    [
      "the provider knows no HEAD",
      ({ provider }) => {
        provider.misbehave = ({ method }, response) => method === "HEAD" && response.writeHead(405).end();
      },
    ],
    [
      "the file is younger, but from elsewhere",
      ({ file }) =>
        utimesSync(file.path, new Date("2026-02-28T10:00:00.500Z"), new Date("2026-02-28T10:00:00.500Z")),
    ],
    ["the file is gone", ({ file }) => rmSync(file.path)],
    [
      "the file is as new, but not in use",
      async ({ file, geoIp }) => {
        writeFileSync(file.path, "not a database");
        utimesSync(file.path, new Date(RELEASED), new Date(RELEASED));
        await geoIp.load(file.path);
      },
    ],
  ])("downloads when %s", async (_, prepare) => {
    const at = await geoIpScene();
    await prepare(at);
    expect(await at.refresh.run()).toMatchObject({ isReplaced: true });
    expectNewDatabase(at);
  });

  it("finds the checksum beside the archive where the path has the ending", async () => {
    const { archive, checksum } = (await geoIpScene()).provider;
    const mirror = await startHost(({ url = "" }, response) => {
      if (url === "/mirror/city.tar.gz") response.end(archive);
      else if (url === "/mirror/city.tar.gz.sha256") response.end(checksum.slice(0, 64).toUpperCase());
      else response.writeHead(404).end();
    });
    const at = await geoIpScene({ url: `http://${mirror.hostAndPort}/mirror/city.tar.gz` });
    expect(await at.refresh.run()).toMatchObject({ isReplaced: true });
    expectNewDatabase(at);
  });

  it("needs a key", async () => {
    const { file, geoIp, log } = await geoIpScene();
    const refresh = new GeoIpRefresh({ provider: undefined, file, geoIp, log });
    await expect(refresh.run()).rejects.toMatchObject({ status: 400, code: "geoip_key_missing" });
  });
});

describe("while it downloads", () => {
  it("the old database answers and stays as it is", async () => {
    const at = await geoIpScene();
    const half = at.provider.stall();
    const running = at.refresh.run();
    const sendRest = await half;
    await vi.waitFor(() => expect(unfinishedIn(at.directory)).toHaveLength(1));
    expect(at.geoIp.locate(READER).city).toBe("Boxford");
    expect(readFileSync(at.file.path).equals(OLD_DATABASE)).toBe(true);
    sendRest();
    expect(await running).toMatchObject({ isReplaced: true });
    expectNewDatabase(at);
  });

  it("there is a whole database at every moment", async () => {
    const at = await geoIpScene();
    let isOver = false;
    const running = at.refresh.run().finally(() => {
      isOver = true;
    });
    while (!isOver) {
      const found = readFileSync(at.file.path);
      expect([OLD_DATABASE, NEW_DATABASE].some((whole) => whole.equals(found))).toBe(true);
      await new Promise(setImmediate);
    }
    await running;
    expectNewDatabase(at);
  });

  it("a second one is turned away, and only one downloads", async () => {
    const at = await geoIpScene();
    const half = at.provider.stall();
    const running = at.refresh.run();
    await expect(at.refresh.run()).rejects.toMatchObject({ status: 409, code: "geoip_update_running" });
    const sendRest = await half;
    await expect(at.refresh.run()).rejects.toMatchObject({ status: 409, code: "geoip_update_running" });
    sendRest();
    await running;
    expect(at.provider.asked).toHaveLength(3);
    expect(await at.refresh.run()).toMatchObject({ isReplaced: false });
  });

  it("a stop breaks it off and leaves nothing", async () => {
    const at = await geoIpScene();
    const half = at.provider.stall();
    const running = expect(at.refresh.run()).rejects.toThrow("The server is shutting down");
    await half;
    await at.refresh.close();
    await running;
    await expectOldDatabase(at);
    await vi.waitFor(() => expect(at.provider.storage.openSockets()).toBe(0));
  });

  it("progress is logged", async () => {
    const at = await geoIpScene();
    const noise = { name: "noise.bin", content: randomBytes(20 * 1024 * 1024) };
    await at.provider.offer([noise, ...usualEntries(NEW_DATABASE)]);
    await at.refresh.run();
    const lines = at.logged.filter(({ msg }) => msg === "downloading the City database");
    expect(lines.map(({ receivedBytes }) => typeof receivedBytes)).toEqual(["undefined", "number", "number"]);
  });
});

describe("what can't be stored", () => {
  it("because a folder has its name is a 500", async () => {
    const at = await geoIpScene();
    rmSync(at.file.path);
    mkdirSync(join(at.file.path, "inside"), { recursive: true });
    expect(await refreshError(at)).toMatchObject({ status: 500, code: "geoip_not_stored" });
    expect(readdirSync(at.directory)).toEqual(["GeoLite2-City.mmdb"]);
    expect(at.geoIp.locate(READER).city).toBe("Boxford");
  });

  it("because the folder is gone is a 500, and nothing is downloaded any further", async () => {
    const at = await geoIpScene();
    rmSync(at.directory, { recursive: true });
    void at.provider.stall();
    expect(await refreshError(at)).toMatchObject({
      status: 500,
      code: "geoip_not_stored",
      cause: { code: "ENOENT" },
    });
    await vi.waitFor(() => expect(at.provider.storage.openSockets()).toBe(0));
  });
});

describe("the provider's own host", () => {
  it("may be inside only when the operator has named it", async () => {
    const { file, geoIp, log } = await geoIpScene();
    const resolve = vi.fn(async () => ["127.0.0.1"]);
    const provider = new GeoIpProvider({ key: KEY, allowHosts: [], resolve });
    const refresh = new GeoIpRefresh({ provider, file, geoIp, log });
    await expect(refresh.run()).rejects.toMatchObject({ status: 502, cause: { reason: "refused_address" } });
    expect(resolve).toHaveBeenCalledWith("download.maxmind.com");
    await refresh.close();
  });

  it("may not send the service to another one inside", async () => {
    const at = await geoIpScene({ allowHosts: [] });
    const error = await refreshError(at);
    expect(error).toMatchObject({ status: 502, cause: { reason: "refused_address" } });
    expect(at.provider.storage.connections).toBe(0);
    await expectOldDatabase(at);
  });
});
