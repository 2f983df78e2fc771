import { execFileSync } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { createHints, createTries } from "../../tools/demo/hints.ts";

const running = {
  baseUrl: "http://127.0.0.1:4000",
  // As long as the real ones.
  login: { email: "admin@example.org", password: "aB-3_x".padEnd(24, "y") },
  key: "bds_".padEnd(50, "k"),
  cookieJar: "/tmp/book-demo-AbCdEf/cookies.txt",
};

describe("the commands that the demo suggests", () => {
  it.skipIf(process.platform === "win32")("are correct for a POSIX shell", () => {
    for (const { command } of createTries(running)) execFileSync("sh", ["-n", "-c", command]);
  });

  it.skipIf(process.platform === "win32")("send well-formed JSON to this very server", () => {
    // With `curl` and `sed` replaced, the shell shows what it would have run.
    const script = createTries(running)
      .map(({ command }) => command)
      .join("\n");
    const stubs = "curl() { printf '%s\\n' \"$@\" >&2; }; sed() { cat; };";
    const shown = execFileSync("sh", ["-c", `exec 2>&1; ${stubs} ${script}`], { encoding: "utf8" });
    const bodies = shown.match(/^\{".*?\}$/gms)?.map((body) => JSON.parse(body));
    expect(bodies).toHaveLength(3);
    expect(bodies?.[2]).toEqual(running.login);
    expect(shown.match(/^http:\/\/\S+$/gm)?.every((url) => url.startsWith(running.baseUrl))).toBe(true);
  });

  it("include the addresses and the log-in", () => {
    const text = stripVTControlCharacters(createHints(running).join("\n"));
    for (const place of ["/api/books", "/api/docs", "/api/openapi.json"]) {
      expect(text).toContain(`${running.baseUrl}${place}`);
    }
    expect(text).toMatch(/Library +http:\/\/127\.0\.0\.1:4000\/\n/);
    expect(text).toMatch(/E-mail +admin@example\.org\n +Password +aB-3_xy+\n/);
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });
});
