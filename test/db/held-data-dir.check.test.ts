/** A data folder that another process holds: its name, and what happens when it is killed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { InstallationError } from "../../src/db/assert-installation.ts";
import { lockDataDir } from "../../src/db/sqlite/data-dir.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const MODULE = new URL("../../src/db/sqlite/data-dir.ts", import.meta.url).href;

/** Another process that takes the lock, says so and does nothing more. */
async function holderOf(directory: string) {
  const script = `import { lockDataDir } from ${JSON.stringify(MODULE)};
    lockDataDir(${JSON.stringify(directory)});
    console.log("locked");
    setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => {
    holder.kill("SIGKILL");
  });
  await once(holder.stdout, "data");
  return holder;
}

function messageOf(directory: string): string {
  try {
    lockDataDir(directory)[Symbol.dispose]();
  } catch (error) {
    if (error instanceof InstallationError) return error.message;
    throw error;
  }
  return "";
}

describe("the lock on a data folder of another process", () => {
  it("names the process that holds it, and since when", async () => {
    const directory = createTempFolder();
    const before = Date.now();
    const holder = await holderOf(directory);
    const [, id, since = ""] = /It is process (\d+), started (\S+Z)\. /.exec(messageOf(directory)) ?? [];
    expect(Number(id)).toBe(holder.pid);
    expect(Date.parse(since)).toBeGreaterThan(before - 2000);
    expect(Date.parse(since)).toBeLessThan(Date.now() + 2000);
  });

  it("names the next process after one that was killed", async () => {
    const directory = createTempFolder();
    const killed = await holderOf(directory);
    killed.kill("SIGKILL");
    await once(killed, "exit");
    const holder = await holderOf(directory);
    expect(messageOf(directory)).toContain(`It is process ${holder.pid}, started `);
  });

  it("is released by the operating system when its process is killed", async () => {
    const directory = createTempFolder();
    const holder = await holderOf(directory);
    expect(() => lockDataDir(directory)).toThrow(expect.objectContaining({ code: "data_dir_in_use" }));
    holder.kill("SIGKILL");
    await once(holder, "exit");
    lockDataDir(directory)[Symbol.dispose]();
  });
});
