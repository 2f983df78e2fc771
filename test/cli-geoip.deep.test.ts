/** `bookdist geoip` as a process: the state of the databases, and the download of the latest. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GeoIpProviderHost, NEW_DATABASE, OLD_DATABASE, SECRETS } from "./support/geoip-provider.ts";
import { RemoteAdmin } from "./support/remote-admin.ts";
import { runCli } from "./support/run-cli.ts";
import { ServiceProcess } from "./support/service-process.ts";
import { createTempFolder } from "./support/temp-folder.ts";

const COUNTRIES = /\nCountries: included, built on \d{4}-\d{2}-\d{2}\. Used without a City database\.\n$/;

const geoip = (dataDir: string, variables: Record<string, string>, ...options: string[]) =>
  runCli({ args: ["geoip", ...options], variables: { DATA_DIR: dataDir, ...variables } });
const pathIn = (dataDir: string): string => join(dataDir, "GeoLite2-City.mmdb");

describe("geoip", () => {
  it("shows the country database, and what is required for cities", async () => {
    const { code, out, errors } = await geoip(createTempFolder(), {});
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
    expect(out).toMatch(/^Cities: none\. To download them, set MAXMIND_ACCOUNT_ID and MAXMIND_LICENSE_KEY, /);
    expect(out).toMatch(COUNTRIES);
  });

  it("shows the City database, and changes nothing", async () => {
    const dataDir = createTempFolder();
    writeFileSync(pathIn(dataDir), OLD_DATABASE);
    writeFileSync(`${pathIn(dataDir)}.part`, "what a running server is downloading");
    const { code, out } = await geoip(dataDir, {});
    expect(code).toBe(0);
    expect(out).toMatch(/^Cities: .+GeoLite2-City\.mmdb, built on \d{4}-\d{2}-\d{2}\.\n/);
    expect(out).toContain(pathIn(dataDir));
    expect(readFileSync(`${pathIn(dataDir)}.part`, "utf8")).toContain("downloading");
  });

  it("reports a damaged City database with exit code 1", async () => {
    const dataDir = createTempFolder();
    writeFileSync(pathIn(dataDir), OLD_DATABASE.subarray(0, 500));
    const { code, out } = await geoip(dataDir, {});
    expect(code).toBe(1);
    expect(out).toMatch(/^Cities: .+ can't be used\. The file is not a MaxMind database\.\n/);
  });
});

describe("geoip --update", () => {
  it("requires the provider's key", async () => {
    const { code, out, errors } = await geoip(createTempFolder(), {}, "--update");
    expect({ code, out }).toEqual({ code: 78, out: "" });
    expect(errors).toContain("MAXMIND_ACCOUNT_ID, MAXMIND_LICENSE_KEY: required");
  });

  it("downloads the latest database, which is then up to date", async () => {
    const { variables } = await GeoIpProviderHost.start();
    const dataDir = createTempFolder();
    writeFileSync(pathIn(dataDir), OLD_DATABASE);
    const first = await geoip(dataDir, variables, "--update");
    expect(first).toMatchObject({ code: 0, errors: "" });
    expect(first.out).toMatch(
      /^Downloaded the latest City database \(\d.+MiB\)\. .+\nCities: .+\nCountries: /,
    );
    expect(readFileSync(pathIn(dataDir)).equals(NEW_DATABASE)).toBe(true);
    const second = await geoip(dataDir, variables, "--update");
    expect(second.out).toMatch(/^The City database is up to date\.\n/);
    for (const secret of SECRETS) expect(first.out + second.out).not.toContain(secret);
  });

  it("reports a provider that rejects the key, and keeps the database", async () => {
    const provider = await GeoIpProviderHost.start();
    const dataDir = createTempFolder();
    writeFileSync(pathIn(dataDir), OLD_DATABASE);
    const variables = { ...provider.variables, MAXMIND_LICENSE_KEY: "another" };
    const { code, out, errors } = await geoip(dataDir, variables, "--update");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(errors).toMatch(/^The provider did not return a City database\. .*401.*\n$/);
    expect(readFileSync(pathIn(dataDir)).equals(OLD_DATABASE)).toBe(true);
  });

  it("beside a running server: the server's own update loads the new database, and downloads nothing", async () => {
    const provider = await GeoIpProviderHost.start();
    const { variables } = provider;
    const dataDir = createTempFolder();
    writeFileSync(pathIn(dataDir), OLD_DATABASE);
    const admin = { ADMIN_EMAIL: "anna@example.org", ADMIN_PASSWORD: "correct horse battery" };
    const server = new ServiceProcess({ ...admin, ...variables, DATA_DIR: dataDir });
    const base = await server.waitUntilListening();
    expect((await geoip(dataDir, variables, "--update")).code).toBe(0);
    const { cookie } = await RemoteAdmin.login(base, admin);
    const update = async () => {
      const path = `${base}/api/admin/settings/update-geoip`;
      return (await fetch(path, { method: "POST", headers: { cookie } })).json();
    };
    const asked = provider.asked.length;
    expect(await update()).toMatchObject({ message: "The City database is up to date." });
    expect(provider.asked.slice(asked)).toEqual(["HEAD tar.gz"]);
    expect((await server.end()).code).toBe(0);
  });
});
