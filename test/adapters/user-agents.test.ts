import { describe, expect, it } from "vitest";
import { UserAgents } from "../../src/adapters/user-agents.ts";
import { AGENTS } from "../support/reader.ts";

const agents = new UserAgents();

describe("UserAgents", () => {
  it("reads browser and system", () => {
    expect(agents.deviceOf(AGENTS.chrome)).toEqual({
      deviceType: "desktop",
      browserName: "Chrome",
      browserVersion: "126.0.0.0",
      osName: "Windows",
      osVersion: "10",
      isBot: false,
    });
  });

  it.each([
    ["mobile", AGENTS.iphone],
    [
      "tablet",
      "Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
    ],
    [
      "tv",
      "Mozilla/5.0 (SMART-TV; Linux; Tizen 6.0) AppleWebKit/537.36 (KHTML, like Gecko) 76.0.3809.146/6.0 TV Safari/537.36",
    ],
    [
      "console",
      "Mozilla/5.0 (PlayStation 5 3.11) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.0 Safari/605.1.15",
    ],
    ["desktop", "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0"],
    [
      "desktop",
      "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
    ],
    ["other", "Mozilla/5.0 (Haiku) Firefox/126.0"],
    ["other", ""],
    ["bot", AGENTS.googlebot],
  ])("calls the device %s", (deviceType, userAgent) => {
    expect(agents.deviceOf(userAgent)).toMatchObject({ deviceType, isBot: deviceType === "bot" });
  });

  it.each([
    [AGENTS.curl, "curl", "8.5.0"],
    [AGENTS.wget, "Wget", "1.21.4"],
    ["Wget/1.20.3 (linux-gnu)", "Wget", "1.20.3"],
    ["Wget2/2.1.0", "Wget2", "2.1.0"],
    ["Wget", "Wget", ""],
    ["aria2/1.36.0", "aria2", "1.36.0"],
    ["HTTPie/3.2.2", "HTTPie", "3.2.2"],
  ])("doesn't take %j, with which people download, for a bot", (userAgent, browserName, browserVersion) => {
    expect(agents.deviceOf(userAgent)).toMatchObject({ browserName, browserVersion, isBot: false });
  });

  it.each([
    "curlbot/1.0",
    "libcurl-agent/1.0",
    "wget-spider",
    "Mozilla/5.0 (compatible; bingbot/2.0)",
    "node",
  ])("takes %j for a bot", (userAgent) => {
    expect(agents.deviceOf(userAgent)).toMatchObject({ deviceType: "bot", isBot: true });
  });

  it("stays quick with headers that nobody sends, and says the same again", () => {
    const odd = [
      "x".repeat(100_000),
      "Mozilla/5.0 (".repeat(5000),
      `${" ".repeat(50_000)};`,
      "\u0000\u0001é\ud800",
    ];
    for (const userAgent of odd) {
      const before = performance.now();
      const device = agents.deviceOf(userAgent);
      expect(performance.now() - before).toBeLessThan(2000);
      expect(agents.deviceOf(userAgent)).toEqual(device);
    }
  });
});
