/** The installation's settings, and the update of its City database. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Reader } from "maxmind";
import { describe, expect, it } from "vitest";
import { noteBackup } from "../../src/adapters/last-backup.ts";
import { appVersion } from "../../src/version.ts";
import { startApp, startWithAdmin, type TestApp } from "../support/app.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { GeoIpProviderHost, NEW_DATABASE, OLD_DATABASE, READER, SECRETS } from "../support/geoip-provider.ts";
import { itInFolder } from "../support/on-s3.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { addDatabase } from "../support/test-database.ts";

const SETTINGS = "/api/admin/settings";
const UPDATE = `${SETTINGS}/update-geoip`;

const pathIn = (dataDir: string): string => join(dataDir, "GeoLite2-City.mmdb");

/** With a provider that has a newer database than the folder. */
async function scene() {
  const provider = await GeoIpProviderHost.start();
  const dataDir = createTempFolder();
  addDatabase(dataDir);
  writeFileSync(pathIn(dataDir), OLD_DATABASE);
  const app = await startApp({ ...provider.variables, TRUST_PROXY: "1" }, { dataDir });
  return { app, provider, dataDir, path: pathIn(dataDir), admin: await app.admin() };
}

/** Where the event of a reader at this address says that they are. */
async function placeOfReader({ api, container: { database } }: TestApp, address: string) {
  const asked = {
    slug: "the-well",
    languageCode: "en",
    contact: { email: "sara@example.net", firstName: "Sara" },
  };
  const response = await api.with({ "X-Forwarded-For": address }).post("/api/download/submit", asked);
  expect(response.status).toBe(200);
  const newest = database.read.selectFrom("download_events").selectAll().orderBy("id", "desc");
  const { countryCode, countryName, city } = await newest.executeTakeFirstOrThrow();
  return { countryCode, countryName, city };
}

describe("GET /api/admin/settings", () => {
  it("returns what is installed, without a City database and a key", async () => {
    const app = await startApp();
    const { status, body } = await (await app.admin()).get(SETTINGS);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        geoipExists: false,
        geoipFileSize: 0,
        geoipPath: pathIn(app.dataDir),
        geoipBuiltAt: null,
        nodeVersion: process.version,
        environment: "test",
        appVersion,
        vendorKeyConfigured: false,
        lastBackupAt: null,
      },
    });
  });

  it("says when the City database was made, and when the last backup", async () => {
    const { admin, dataDir } = await scene();
    const builtAt = new Reader(OLD_DATABASE).metadata.buildEpoch.toISOString();
    expect((await admin.get(SETTINGS)).body).toMatchObject({ geoipBuiltAt: builtAt, lastBackupAt: null });
    await noteBackup(dataDir, { createdAt: "2026-02-28T02:00:04.000Z", path: "/backups/backup-1" });
    expect((await admin.get(SETTINGS)).body).toMatchObject({ lastBackupAt: "2026-02-28T02:00:04.000Z" });
    const newer = new Reader(NEW_DATABASE).metadata.buildEpoch.toISOString();
    await admin.post(UPDATE);
    expect((await admin.get(SETTINGS)).body).toMatchObject({ geoipBuiltAt: newer });
  });

  it("returns what is installed, with both, but not the key", async () => {
    const { admin, path } = await scene();
    const { body } = await admin.get(SETTINGS);
    const there = { geoipExists: true, geoipFileSize: OLD_DATABASE.length, geoipPath: path };
    expect(body).toMatchObject({ ...there, vendorKeyConfigured: true });
    for (const secret of SECRETS) expect(JSON.stringify(body)).not.toContain(secret);
  });
});

describe("POST /api/admin/settings/update-geoip", () => {
  it("requires the provider's key", async () => {
    const app = await startApp();
    expectProblem(await (await app.admin()).post(UPDATE), 400, { code: "geoip_key_missing" });
  });

  itInFolder("installs the latest database, and look-ups use it without a restart", async () => {
    const { app, path, admin } = await scene();
    await app.make.published("The Well", "en");
    const place = { countryCode: "GB", countryName: "United Kingdom" };
    expect(await placeOfReader(app, READER)).toEqual({ ...place, city: "Boxford" });
    const { status, body } = await admin.post(UPDATE);
    expect({ status, body }).toEqual({
      status: 200,
      body: { success: true, message: "The City database was updated.", fileSize: NEW_DATABASE.length },
    });
    expect(readFileSync(path).equals(NEW_DATABASE)).toBe(true);
    expect(await placeOfReader(app, READER)).toEqual({ ...place, city: "London" });
    expect((await admin.get(SETTINGS)).body).toMatchObject({
      geoipExists: true,
      geoipFileSize: NEW_DATABASE.length,
    });
  });

  it("downloads nothing if there is no newer database", async () => {
    const { admin, provider } = await scene();
    await admin.post(UPDATE);
    const { status, body } = await admin.post(UPDATE);
    expect({ status, body }).toEqual({
      status: 200,
      body: { success: true, message: "The City database is up to date.", fileSize: NEW_DATABASE.length },
    });
    expect(provider.asked.slice(3)).toEqual(["HEAD tar.gz"]);
  });

  it("runs only once at a time", async () => {
    const { admin, provider } = await scene();
    const half = provider.stall();
    const first = admin.post(UPDATE);
    const sendRest = await half;
    expectProblem(await admin.post(UPDATE), 409, { code: "geoip_update_running" });
    sendRest();
    expect((await first).body).toMatchObject({ success: true });
    expect(provider.asked).toHaveLength(3);
  });

  it("returns 502 and keeps the old database if the provider fails, without naming the key", async () => {
    const { app, admin, provider, path, dataDir } = await scene();
    provider.misbehave = (_, response) => response.writeHead(403).end("Invalid license key");
    const before = readdirSync(dataDir).sort();
    const response = await admin.post(UPDATE);
    expectProblem(response, 502, { code: "geoip_provider_failed" });
    expect(response.body.detail).toBe(
      "The provider did not return a City database. The host responded with status 403.",
    );
    expect(readFileSync(path).equals(OLD_DATABASE)).toBe(true);
    expect(readdirSync(dataDir).sort()).toEqual(before);
    const reported = JSON.stringify([response.body, response.headers, app.logged]);
    for (const secret of [...SECRETS, provider.url]) expect(reported).not.toContain(secret);
    expect(app.logged).toContainEqual(expect.objectContaining({ level: 50, msg: "a request failed" }));
  });

  itInFolder("returns 500 if the database can't be stored, without paths", async () => {
    const provider = await GeoIpProviderHost.start();
    const { app, client: admin } = await startWithAdmin(provider.variables);
    mkdirSync(join(pathIn(app.dataDir), "inside"), { recursive: true });
    expect((await admin.get(SETTINGS)).body).toMatchObject({ geoipExists: false, geoipFileSize: 0 });
    const response = await admin.post(UPDATE);
    expectProblem(response, 500, { code: "geoip_not_stored" });
    expect(JSON.stringify(response.body)).not.toContain(app.dataDir);
    expect(readdirSync(app.dataDir).filter((name) => name.endsWith(".part"))).toEqual([]);
  });
});
