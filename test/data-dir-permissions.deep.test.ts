/** Who may read what is in the data folder, and what happens where the service itself may not. */
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { closeDataDir } from "../src/adapters/private-files.ts";
import { makeBackup } from "../src/operation/backup/commands.ts";
import { startApp } from "./support/app.ts";
import { createFilledFolder, openToOthers } from "./support/backups.ts";
import { giveAway } from "./support/other-user.ts";
import { RemoteAdmin } from "./support/remote-admin.ts";
import { runCli } from "./support/run-cli.ts";
import { ServiceProcess } from "./support/service-process.ts";
import { hashBytes } from "./support/stored-files.ts";
import { createTempFolder } from "./support/temp-folder.ts";

const isRoot = process.getuid?.() === 0;

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** Below the data folder. */
const storedPaths = (dataDir: string): string[] =>
  readdirSync(join(dataDir, "files"), { recursive: true })
    .map((name) => join("files", String(name)))
    .filter((name) => /[0-9a-f]{64}$/.test(name));

/** A kept ZIP, which is read-only. @returns its path below the data folder */
function keepZip(dataDir: string): string {
  const name = `cache/${"0".repeat(64)}.zip`;
  writeFileSync(join(dataDir, name), "zip", { mode: 0o400 });
  return name;
}

describe("files that others can read", () => {
  it("are restricted at the start, and reported except for the folder itself", async () => {
    const dataDir = await createFilledFolder(1);
    await makeBackup({ dataDir, out: join(dataDir, "backups") });
    for (const name of ["", "database.sqlite", "files", "backups"]) chmodSync(join(dataDir, name), 0o755);
    chmodSync(join(dataDir, "auth-secret"), 0o644);
    const app = await startApp({}, { dataDir });
    expect(openToOthers(dataDir)).toEqual([]);
    const warnings = app.logged.filter(({ level }) => level === 40);
    expect(warnings).toMatchObject([
      { closed: ["database.sqlite", "auth-secret", "files", "backups"].map((name) => join(dataDir, name)) },
    ]);
  });

  it("are unchanged if other users can't read them", async () => {
    expect(await closeDataDir(await createFilledFolder(1))).toEqual([]);
  });

  it("stay unchanged if they are the operator's own", async () => {
    const dataDir = await createFilledFolder(1);
    writeFileSync(join(dataDir, "favicon.svg"), "<svg/>", { mode: 0o644 });
    chmodSync(join(dataDir, "favicon.svg"), 0o644);
    await closeDataDir(dataDir);
    expect(statSync(join(dataDir, "favicon.svg")).mode & 0o777).toBe(0o644);
  });

  it("are opened to the group with FILES_MODE=group, and only stored files and the cache", async () => {
    const dataDir = await createFilledFolder(1);
    await startApp({ FILES_MODE: "private" }, { dataDir });
    const sealed = keepZip(dataDir);
    await makeBackup({ dataDir, out: join(dataDir, "backups") });
    for (const name of ["files", "backups"]) chmodSync(join(dataDir, name), 0o707);
    expect(await closeDataDir(dataDir, "group")).toEqual(
      ["files", "backups"].map((name) => join(dataDir, name)),
    );
    const [stored = ""] = storedPaths(dataDir);
    const modes = (...names: string[]) => names.map((name) => modeOf(join(dataDir, name)));
    expect(modes(dirname(stored), stored, sealed)).toEqual(["750", "640", "440"]);
    expect(modes("files", "files/tmp", "cache", "cache/covers")).toEqual(["750", "750", "750", "750"]);
    expect(modes("database.sqlite", "auth-secret", "backups")).toEqual(["600", "600", "700"]);
    expect(modes("")).toEqual(["710"]);
    expect(await closeDataDir(dataDir, "group")).toEqual([]);

    await closeDataDir(dataDir, "private");
    expect(modes("", "files", "cache")).toEqual(["700", "700", "700"]);
  });

  it("keep a mode of the folder with which the group may list it", async () => {
    const dataDir = await createFilledFolder(1);
    chmodSync(dataDir, 0o2777);
    await closeDataDir(dataDir, "group");
    expect(statSync(dataDir).mode & 0o7777).toBe(0o2750);
  });

  it.runIf(isRoot)("and that can't be restricted stop the start with one line", async () => {
    const dataDir = await createFilledFolder(1);
    const user = giveAway(dirname(dataDir));
    const secret = join(dataDir, "auth-secret");
    chownSync(secret, 0, 0);
    chmodSync(secret, 0o644);
    const ended = await runCli({
      args: ["create-admin", "anna@example.org"],
      input: "correct horse battery\n",
      variables: { DATA_DIR: dataDir },
      ...user,
    });
    expect(ended).toMatchObject({ code: 78, out: "" });
    expect(ended.errors).toMatch(/auth-secret is open to other users of this machine \(mode 644\).*\n$/);
  });
});

describe.runIf(isRoot)("files that the service can't read:", () => {
  it.each([
    ["the database", "database.sqlite"],
    ["the secret", "auth-secret"],
  ])("%s: the start and commands end with one line and 78", async (_, name) => {
    const dataDir = await createFilledFolder(1);
    const user = giveAway(dirname(dataDir));
    const path = join(dataDir, name);
    chownSync(path, 0, 0);
    const advice = "Check the owner and the permissions of the file, or run as another user.";
    const errors = `Can't open ${path}: permission denied. ${advice}\n`;
    const variables = { DATA_DIR: dataDir };
    const server = new ServiceProcess(variables, user);
    expect(await server.ended).toEqual({ code: 78, signal: null, errors });
    if (name !== "database.sqlite") return;
    for (const args of [["doctor"], ["backup"]]) {
      expect(await runCli({ args, variables, ...user })).toEqual({ code: 78, out: "", errors });
    }
  });

  it("bytes: the doctor names each and continues, a backup names them in one line", async () => {
    const dataDir = await createFilledFolder(1);
    const user = giveAway(dirname(dataDir));
    const [shard = ""] = readdirSync(join(dataDir, "files")).filter((name) => name.length === 2);
    const [sha256 = ""] = readdirSync(join(dataDir, "files", shard));
    const path = join(dataDir, "files", shard, sha256);
    chownSync(path, 0, 0);
    const closed = join(dataDir, "files", "00");
    mkdirSync(closed, { mode: 0o700 });
    const variables = { DATA_DIR: dataDir };
    const doctor = await runCli({ args: ["doctor", "--json"], variables, ...user });
    expect(doctor).toMatchObject({ code: 1, errors: "" });
    const found = { check: "unreadable_bytes", severity: "error" };
    expect(JSON.parse(doctor.out)).toMatchObject({
      findings: [
        { ...found, object: { kind: "file", name: "book.txt" }, message: expect.stringContaining(sha256) },
        {
          ...found,
          object: { kind: "bytes", id: closed },
          message: `${closed} can't be read: permission denied.`,
        },
      ],
    });
    const backup = await runCli({ args: ["backup"], variables, ...user });
    expect(backup).toMatchObject({ code: 78, out: "" });
    expect(backup.errors).toMatch(
      /^The stored bytes of book\.txt \([0-9a-f]{64}\) can't be read: permission denied\. .*\n$/,
    );
  });

  it("bytes: readers get 503, while the rest is served", async () => {
    const dataDir = join(createTempFolder(), "data");
    mkdirSync(dataDir);
    const user = giveAway(dirname(dataDir));
    const login = { ADMIN_EMAIL: "anna@example.org", ADMIN_PASSWORD: "correct horse battery" };
    const server = new ServiceProcess({ DATA_DIR: dataDir, ...login }, user);
    const base = await server.waitUntilListening();
    const admin = await RemoteAdmin.login(base, login);
    await admin.publish("en", Buffer.from("text"));
    const link = base + (await admin.linkTo("en", "reader@example.org"));
    const sha256 = hashBytes(Buffer.from("text"));
    chownSync(join(dataDir, "files", sha256.slice(0, 2), sha256), 0, 0);
    const response = await fetch(link);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: "storage_unavailable" });
    // As by `nice`: lower than that of the examination, to which the user of the service may not raise it again.
    setPriority(server.pid ?? 0, constants.priority.PRIORITY_BELOW_NORMAL + 1);
    const doctor = await fetch(`${base}/api/admin/doctor?deep=true`, { headers: { cookie: admin.cookie } });
    expect(await doctor.json()).toMatchObject({ findings: [{ check: "unreadable_bytes" }] });
  });
});
