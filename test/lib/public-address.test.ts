/** Which addresses are public: the table, its edges, and IPv4 in all its IPv6 disguises. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPublicAddress } from "../../src/lib/ip-address.ts";

const hex = (address: string): string => {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
};

/** First and last address of each range that leads inside. */
const insideIpv4: [string, string, string][] = [
  ["this network", "0.0.0.0", "0.255.255.255"],
  ["private 10/8", "10.0.0.0", "10.255.255.255"],
  ["carrier-grade NAT", "100.64.0.0", "100.127.255.255"],
  ["loopback", "127.0.0.0", "127.255.255.255"],
  ["Azure host agent", "168.63.129.16", "168.63.129.16"],
  ["link-local and metadata", "169.254.0.0", "169.254.255.255"],
  ["private 172.16/12", "172.16.0.0", "172.31.255.255"],
  ["protocol assignments", "192.0.0.0", "192.0.0.255"],
  ["documentation 1", "192.0.2.0", "192.0.2.255"],
  ["6to4 relays", "192.88.99.0", "192.88.99.255"],
  ["private 192.168/16", "192.168.0.0", "192.168.255.255"],
  ["benchmarking", "198.18.0.0", "198.19.255.255"],
  ["documentation 2", "198.51.100.0", "198.51.100.255"],
  ["documentation 3", "203.0.113.0", "203.0.113.255"],
  ["multicast", "224.0.0.0", "239.255.255.255"],
  ["reserved and broadcast", "240.0.0.0", "255.255.255.255"],
];

/** The neighbours just outside of those ranges, and well-known hosts. */
const publicIpv4 = [
  "1.0.0.0",
  "1.1.1.1",
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.0",
  "168.63.129.15",
  "168.63.129.17",
  "169.253.255.255",
  "169.255.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "191.255.255.255",
  "192.0.1.0",
  "192.0.3.0",
  "192.88.98.255",
  "192.88.100.0",
  "192.167.255.255",
  "192.169.0.0",
  "198.17.255.255",
  "198.20.0.0",
  "198.51.99.255",
  "198.51.101.0",
  "203.0.112.255",
  "203.0.114.0",
  "223.255.255.255",
];

describe("IPv4", () => {
  it.each(insideIpv4)("%s isn't public", (_name, first, last) => {
    expect(isPublicAddress(first)).toBe(false);
    expect(isPublicAddress(last)).toBe(false);
  });

  it.each(publicIpv4)("%s is public", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe("IPv6", () => {
  it.each([
    ["unspecified", "::"],
    ["loopback", "::1"],
    ["loopback written out", "0:0:0:0:0:0:0:1"],
    ["IPv4-compatible", "::8.8.8.8"],
    ["IPv4-translated", "::ffff:0:8.8.8.8"],
    ["local NAT64", "64:ff9b:1::8.8.8.8"],
    ["discard", "100::1"],
    ["Teredo", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
    ["benchmarking", "2001:2::1"],
    ["ORCHIDv2", "2001:20::1"],
    ["end of protocol assignments", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["documentation", "2001:db8::1"],
    ["6to4 of a private address", "2002:a00:1::1"],
    ["6to4 of loopback", "2002:7f00:1::"],
    ["new documentation", "3fff::1"],
    ["segment routing", "5f00::1"],
    ["unique local", "fc00::1"],
    ["unique local, metadata of a cloud", "fd00:ec2::254"],
    ["link-local", "fe80::1"],
    ["link-local with a zone", "fe80::1%eth0"],
    ["a public address with a zone", "2606:4700:4700::1111%eth0"],
    ["site-local", "fec0::1"],
    ["multicast", "ff02::1"],
    ["beyond global unicast", "4000::1"],
  ])("%s isn't public", (_name, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([
    "2001:200::1",
    "2001:4860:4860::8888",
    "2606:4700:4700::1111",
    "2a00:1450:4001:80b::200e",
    "2001:db7:ffff::1",
    "2001:db9::1",
    "2003::1",
    "3ffe:ffff::1",
    "3fff:1000::1",
  ])("%s is public", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe("IPv4 inside IPv6", () => {
  it.each(insideIpv4)("%s keeps its classification in its mapped and NAT64 forms", (_name, first, last) => {
    for (const address of [first, last]) {
      expect(isPublicAddress(`::ffff:${address}`)).toBe(false);
      expect(isPublicAddress(`::FFFF:${hex(address)}`)).toBe(false);
      expect(isPublicAddress(`64:ff9b::${address}`)).toBe(false);
      expect(isPublicAddress(`64:ff9b:0:0:0:0:${hex(address)}`)).toBe(false);
      expect(isPublicAddress(`::${address}`)).toBe(false);
      expect(isPublicAddress(`2002:${hex(address)}::1`)).toBe(false);
    }
  });

  it("is classified like the IPv4 address inside, for any address", () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const expected = isPublicAddress(address);
        expect(isPublicAddress(`::ffff:${address}`)).toBe(expected);
        expect(isPublicAddress(`::ffff:${hex(address)}`)).toBe(expected);
        expect(isPublicAddress(`64:ff9b::${hex(address)}`)).toBe(expected);
      }),
    );
  });
});

describe("text that isn't an address", () => {
  it.each(["", " ", "localhost", "example.org", "8.8.8", "127.1", "2130706433", "0x7f000001", "010.8.8.8"])(
    "%j isn't public",
    (text) => expect(isPublicAddress(text)).toBe(false),
  );

  it.each(["[2606:4700:4700::1111]", "8.8.8.8:80", "8.8.8.8/32", " 8.8.8.8", "8.8.8.8\u0000", "8.8.8.8."])(
    "%j isn't public",
    (text) => expect(isPublicAddress(text)).toBe(false),
  );
});
