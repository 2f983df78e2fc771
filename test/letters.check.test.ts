/** What operators do with letters at the command line. */
import { describe, expect, it } from "vitest";
import { mailSettings, type Replies, startMailServer } from "./support/mail-server.ts";
import { runCli } from "./support/run-cli.ts";
import { createTempFolder } from "./support/temp-folder.ts";

async function scene(replies: Replies = {}) {
  const server = await startMailServer(replies);
  const variables = { DATA_DIR: createTempFolder(), ...mailSettings(server) };
  const command = (address: string) => runCli({ args: ["mail-test", address], variables });
  return { server, command };
}

describe("bookdist mail-test", () => {
  it("sends a letter to the address", async () => {
    const { server, command } = await scene();
    const taken = { code: 0, out: "The mail server 127.0.0.1 has taken the letter.\n", errors: "" };
    expect(await command("mira@example.org")).toEqual(taken);
    expect(server.only()).toMatchObject({ to: ["mira@example.org"], from: "books@example.org" });
  });

  it("says why none was sent", async () => {
    const { server, command } = await scene({ recipient: () => "550 unknown" });
    const refused = await command("mira@example.org");
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining("550 unknown")]);
    for (const address of ["mira@example.org, b@example.org", "mira"])
      expect((await command(address)).code).toBe(64);
    expect(server.received).toEqual([]);
    const args = ["mail-test", "mira@example.org"];
    const off = await runCli({ args, variables: { DATA_DIR: createTempFolder() } });
    expect([off.code, off.errors]).toEqual([
      1,
      "Letters are off: set SMTP_URL, MAIL_FROM and PUBLIC_BASE_URL.\n",
    ]);
  });
});
