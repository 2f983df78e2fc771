/** `.env` in the working directory, as the server and every command read it. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "./support/run-cli.ts";
import { ServiceProcess } from "./support/service-process.ts";
import { tempFolder } from "./support/temp-folder.ts";

const SERVER = new URL("../src/server.ts", import.meta.url).pathname;
const createAdmin = { args: ["create-admin", "anna@example.org"], input: "correct horse battery\n" };

describe(".env", () => {
  it("is read by commands and the server, and variables of the process win over it", async () => {
    const cwd = tempFolder();
    writeFileSync(join(cwd, ".env"), "DATA_DIR=./from-file\nPORT=x\nLOG_LEVEL='debug' # a comment\n");
    expect(await runCli({ ...createAdmin, cwd, variables: { PORT: "0" } })).toMatchObject({
      code: 0,
      out: `anna@example.org can log in now (${join(cwd, "from-file")}).\n`,
      errors: "",
    });
    const server = new ServiceProcess({}, SERVER, cwd);
    expect(await server.logged("listening")).toMatchObject({ dataDir: join(cwd, "from-file") });
    expect(await runCli({ ...createAdmin, cwd })).toMatchObject({
      code: 78,
      errors: "The configuration is not valid:\n  PORT: must be a whole number\n",
    });
  });

  it("may be missing, and nothing is said about it", async () => {
    const cwd = tempFolder();
    expect(await runCli({ ...createAdmin, cwd })).toMatchObject({ code: 0, errors: "" });
    expect(existsSync(join(cwd, "data", "database.sqlite"))).toBe(true);
  });

  it("that can't be read stops the start with one line", async () => {
    const cwd = tempFolder();
    mkdirSync(join(cwd, ".env"));
    const errors = expect.stringMatching(
      /^The configuration is not valid:\n {2}\.env: can't be read \(.+\)\n$/,
    );
    expect(await runCli({ ...createAdmin, cwd })).toEqual({ code: 78, out: "", errors });
    expect(await new ServiceProcess({}, SERVER, cwd).ended).toEqual({ code: 78, signal: null, errors });
  });
});
