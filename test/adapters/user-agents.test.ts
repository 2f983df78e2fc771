import { describe, expect, it } from "vitest";
import { detectDevice } from "../../src/adapters/user-agents.ts";
import { TOOL_AGENTS } from "../support/bot-agents.ts";
import { DEVICE_AGENTS } from "../support/device-agents.ts";
import { measureWork } from "../support/own-work.ts";
import { AGENTS, CHROME } from "../support/reader.ts";

describe("deviceOf", () => {
  it("reads browser and system", () => {
    expect(detectDevice(AGENTS.chrome)).toEqual({
      ...CHROME,
      isBot: false,
    });
  });

  describe.each(Object.entries(DEVICE_AGENTS))("returns as the device %s", (deviceType, headers) => {
    it.each(headers.trim().split("\n"))("%s", (userAgent) => {
      expect(detectDevice(userAgent)).toMatchObject({ deviceType, isBot: deviceType === "bot" });
    });
  });

  it.each(["", "Mozilla/5.0 (MyOwnSystem) Firefox/126.0"])(
    "returns no made-up values for %j",
    (userAgent) => {
      expect(detectDevice(userAgent)).toMatchObject({ deviceType: "other", osName: "", isBot: false });
    },
  );

  it.each([
    [AGENTS.curl, "curl", "8.5.0"],
    [AGENTS.wget, "Wget", "1.21.4"],
    ["Wget/1.20.3 (linux-gnu)", "Wget", "1.20.3"],
    ["Wget2/2.1.0", "Wget2", "2.1.0"],
    ["Wget", "Wget", ""],
    ["aria2/1.36.0", "aria2", "1.36.0"],
    ["HTTPie/3.2.2", "HTTPie", "3.2.2"],
  ])(
    "doesn't classify %j, with which people download, as a bot",
    (userAgent, browserName, browserVersion) => {
      expect(detectDevice(userAgent)).toMatchObject({ browserName, browserVersion, isBot: false });
    },
  );

  it.each(TOOL_AGENTS.trim().split("\n"))("classifies %j as the tool of a person", (userAgent) => {
    const { isBot, deviceType, browserName } = detectDevice(userAgent);
    expect(isBot).toBe(false);
    expect(deviceType).not.toBe("bot");
    expect(browserName).not.toBe("");
  });

  it("recognises the device of a download manager by its system", () => {
    const [android = ""] = TOOL_AGENTS.split("\n").filter((line) =>
      line.startsWith("AndroidDownloadManager/13"),
    );
    expect(detectDevice(android)).toMatchObject({
      deviceType: "mobile",
      osName: "Android",
      osVersion: "13",
    });
  });

  it("is fast with absurd headers, and gives the same result again", () => {
    const odd = [
      "x".repeat(100_000),
      "Mozilla/5.0 (".repeat(5000),
      `${" ".repeat(50_000)};`,
      "\u0000\u0001é\ud800",
    ];
    for (const userAgent of odd) {
      expect(measureWork(() => detectDevice(userAgent))).toBeLessThan(2000);
      expect(detectDevice(userAgent)).toEqual(detectDevice(userAgent));
    }
  });

  it("parses a header once, reads 500 characters of it, and evicts those used least recently", () => {
    const device = detectDevice(`Mozilla/5.0 ${"x".repeat(488)}`);
    expect(detectDevice(`Mozilla/5.0 ${"x".repeat(488)} Googlebot`)).toBe(device);
    expect(detectDevice(`Mozilla/5.0 ${"x".repeat(487)}y`)).not.toBe(device);
    for (let other = 0; other < 2000; other += 1) detectDevice(`curl/8.${other}`);
    expect(detectDevice(`Mozilla/5.0 ${"x".repeat(488)}`)).not.toBe(device);
  });
});
