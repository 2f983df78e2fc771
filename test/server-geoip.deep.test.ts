/** A kill during an update of the City database: a process of its own, killed, and started again. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GeoIpProviderHost, NEW_DATABASE, OLD_DATABASE } from "./support/geoip-provider.ts";
import { RemoteAdmin } from "./support/remote-admin.ts";
import { ServiceProcess } from "./support/service-process.ts";
import { createTempFolder } from "./support/temp-folder.ts";

const ADMIN = { ADMIN_EMAIL: "anna@example.org", ADMIN_PASSWORD: "correct horse battery" };
const NAME = "GeoLite2-City.mmdb";

/** A running service with the old database, and a provider that has a newer one. */
async function scene() {
  const provider = await GeoIpProviderHost.start();
  const dataDir = createTempFolder();
  writeFileSync(join(dataDir, NAME), OLD_DATABASE);
  const start = () => new ServiceProcess({ ...ADMIN, ...provider.variables, DATA_DIR: dataDir });
  const service = start();
  const base = await service.waitUntilListening();
  const { cookie } = await RemoteAdmin.login(base, ADMIN);
  const update = () =>
    fetch(`${base}/api/admin/settings/update-geoip`, { method: "POST", headers: { cookie } }).then(
      ({ status }) => status,
      () => "no response",
    );
  return { provider, dataDir, service, start, update };
}
type Scene = Awaited<ReturnType<typeof scene>>;

const databaseFiles = ({ dataDir }: Scene): string[] =>
  readdirSync(dataDir).filter((name) => name.startsWith(NAME));
const databaseOf = ({ dataDir }: Scene): Buffer => readFileSync(join(dataDir, NAME));

/** Kills the service, starts it again and ends that. @returns what is left in the folder */
async function restart(at: Scene): Promise<string[]> {
  await at.service.end("SIGKILL");
  const next = at.start();
  await next.waitUntilListening();
  expect(next.lines.filter(({ level }) => level === "warn" || level === "error")).toEqual([]);
  const files = databaseFiles(at);
  await next.end();
  return files;
}

describe("a kill", () => {
  it("during the download leaves the old database, and the next start nothing else", async () => {
    const at = await scene();
    const half = at.provider.stall();
    const response = at.update();
    await half;
    // What a kill in the middle of writing leaves.
    writeFileSync(join(at.dataDir, `${NAME}.part`), NEW_DATABASE.subarray(0, 100));
    expect(await restart(at)).toEqual([NAME]);
    expect(await response).toBe("no response");
    expect(databaseOf(at).equals(OLD_DATABASE)).toBe(true);
  });

  it.each([0, 4, 12])("%i ms after the last byte leaves one of the two databases, complete", async (wait) => {
    const at = await scene();
    const half = at.provider.stall();
    void at.update();
    const sendRest = await half;
    sendRest();
    await new Promise((resolve) => setTimeout(resolve, wait));
    expect(await restart(at)).toEqual([NAME]);
    expect([OLD_DATABASE, NEW_DATABASE].some((whole) => databaseOf(at).equals(whole))).toBe(true);
  });
});
