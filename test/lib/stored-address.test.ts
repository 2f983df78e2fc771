import { isIPv4, isIPv6 } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reduceAddress } from "../../src/lib/ip-address.ts";

describe("storedAddress", () => {
  it("keeps the whole address or nothing", () => {
    for (const address of ["192.0.2.7", "2001:db8::1"]) {
      expect(reduceAddress(address, "full")).toBe(address);
      expect(reduceAddress(address, "none")).toBeNull();
    }
    expect(reduceAddress("", "full")).toBeNull();
    expect(reduceAddress("", "truncated")).toBeNull();
  });

  it.each([
    ["192.0.2.255", "192.0.2.0"],
    ["10.0.0.0", "10.0.0.0"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1::"],
    ["2001:DB8:0001::6", "2001:db8:1::"],
    ["2001:db8::1", "2001:db8::"],
    ["2001::1", "2001::"],
    ["2001:0:0:4:5:6:7:8", "2001::"],
    ["::1", "::"],
    ["::", "::"],
    ["0:0:1:2::", "0:0:1::"],
    ["fe80::1%eth0", "fe80::"],
    ["::ffff:192.0.2.7", "::"],
    ["not an address", null],
    ["1.2.3", null],
  ])("truncates %s to %s", (address, network) => {
    expect(reduceAddress(address, "truncated")).toBe(network);
  });

  it("leaves nothing of an address beyond its network", () => {
    fc.assert(
      fc.property(fc.ipV6(), fc.ipV4(), (v6, v4) => {
        const [network6, network4] = [reduceAddress(v6, "truncated"), reduceAddress(v4, "truncated")];
        expect(isIPv6(network6 ?? "")).toBe(true);
        expect(isIPv4(network4 ?? "")).toBe(true);
        // Truncating again changes nothing, and all that is left is the /48 or the /24.
        expect(reduceAddress(network6 ?? "", "truncated")).toBe(network6);
        expect(network6).toMatch(/^(?:[0-9a-f]{0,4}:){0,3}:$|^::$/);
        expect(network4).toBe(`${v4.split(".").slice(0, 3).join(".")}.0`);
      }),
    );
  });
});
