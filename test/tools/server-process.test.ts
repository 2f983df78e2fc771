import { once } from "node:events";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { freePort } from "../../tools/lib/server-process.ts";

describe("freePort", () => {
  it("returns a port that is free", async () => {
    const port = await freePort(0);
    expect(port).toBeGreaterThan(0);
    expect(port).toBeLessThan(65_536);
  });

  it("rejects a port that is in use", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const address = taken.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    await expect(freePort(address.port)).rejects.toThrow(`port ${address.port} can't be used`);
    taken.close();
  });
});
