import { describe, expect, it } from "vitest";
import { parseTrustedRange } from "../../src/lib/trusted-ranges.ts";

describe("a range of proxies", () => {
  it.each([
    "0.0.0.0/0",
    "::/0",
    "0.0.0.0/1",
    "128.0.0.0/1",
    "41.0.0.0/8",
    "10.0.0.0/7",
    "172.0.0.0/8",
    "172.16.0.0/11",
    "2000::/3",
    "2a00::/12",
    "fc00::/6",
  ])("%s is too wide: readers are in it", (range) => {
    expect(parseTrustedRange(range).isTooWide).toBe(true);
  });

  it.each([
    "loopback",
    "linklocal",
    "uniquelocal",
    "10.0.0.0/8",
    "172.16.0.0/12",
    "fc00::/7",
    "fd00::/8",
    "104.16.0.0/13",
    "2a06:98c0::/29",
    "203.0.113.7",
    "::1",
  ])("%s isn't", (range) => {
    expect(parseTrustedRange(range).isTooWide).toBe(false);
  });

  it("contains its addresses, but none of this machine and none that was never one", () => {
    const containing = (range: string, ...addresses: string[]) =>
      addresses.filter(parseTrustedRange(range).contains);
    const local = [
      "10.1.2.3",
      "172.31.0.1",
      "192.168.0.5",
      "fd00::7",
      "127.0.0.1",
      "::1",
      "",
      "none",
      "41.90.1.1",
    ];
    expect(containing("uniquelocal", ...local)).toEqual(["10.1.2.3", "172.31.0.1", "192.168.0.5", "fd00::7"]);
    expect(containing("loopback", ...local)).toEqual([]);
    expect(containing("192.168.0.5", ...local)).toEqual(["192.168.0.5"]);
    expect(containing("0.0.0.0/0", ...local)).toEqual(["10.1.2.3", "172.31.0.1", "192.168.0.5", "41.90.1.1"]);
  });
});
