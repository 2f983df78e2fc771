/** Distinguishes public internet addresses from internal ones, for every outgoing request. */
import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";

/**
 * Whether an IPv4 or IPv6 address in text form is on the public internet. False for anything else, including invalid
 * text.
 */
export function isPublicAddress(address: string): boolean {
  // A zone ("fe80::1%eth0") belongs to link-local addresses only, and the lists below don't match it.
  if (address.includes("%")) return false;
  switch (isIP(address)) {
    case 4:
      return !notPublic.check(address, "ipv4");
    case 6:
      return globalIpv6.check(address, "ipv6") && !notPublic.check(address, "ipv6");
    default:
      return false;
  }
}

/** IANA's special-purpose registry for IPv4 (RFC 6890), and addresses that cloud providers use. */
const notPublicIpv4: readonly (readonly [network: string, prefix: number])[] = [
  ["0.0.0.0", 8], // "this network", RFC 1122, 3.2.1.3
  ["10.0.0.0", 8], // private, RFC 1918
  ["100.64.0.0", 10], // carrier-grade NAT, RFC 6598 (also the metadata service of one cloud)
  ["127.0.0.0", 8], // loopback, RFC 1122, 3.2.1.3
  ["168.63.129.16", 32], // looks public, but is the host agent of every Azure machine
  ["169.254.0.0", 16], // link-local, RFC 3927 (metadata services of most clouds)
  ["172.16.0.0", 12], // private, RFC 1918
  ["192.0.0.0", 24], // protocol assignments, RFC 6890, 2.1
  ["192.0.2.0", 24], // documentation, RFC 5737
  ["192.88.99.0", 24], // former 6to4 relays, RFC 7526
  ["192.168.0.0", 16], // private, RFC 1918
  ["198.18.0.0", 15], // benchmarking, RFC 2544
  ["198.51.100.0", 24], // documentation, RFC 5737
  ["203.0.113.0", 24], // documentation, RFC 5737
  ["224.0.0.0", 4], // multicast, RFC 5771
  ["240.0.0.0", 4], // reserved, RFC 1112, 4, with the broadcast address, RFC 919
];

/**
 * Only these parts of IPv6 are public. Excluded because they aren't listed: unspecified, loopback and IPv4-compatible
 * (RFC 4291), local NAT64 (RFC 8215), discard (RFC 6666), segment routing (RFC 9602), unique local (RFC 4193),
 * link-local, site-local and multicast (RFC 4291).
 */
const globalIpv6List: readonly (readonly [network: string, prefix: number])[] = [
  ["2000::", 3], // global unicast, RFC 4291, 2.4
  ["::ffff:0:0", 96], // IPv4-mapped, RFC 4291, 2.5.5.2: public if the embedded IPv4 address is
  ["64:ff9b::", 96], // NAT64, RFC 6052: how an IPv6-only machine reaches IPv4 hosts; likewise
];

/** Parts of global unicast that are not public. */
const notPublicIpv6: readonly (readonly [network: string, prefix: number])[] = [
  ["2001::", 23], // protocol assignments, RFC 2928: Teredo (RFC 4380), benchmarking (RFC 5180), ORCHID (RFC 7343)
  ["2001:db8::", 32], // documentation, RFC 3849
  ["2002::", 16], // 6to4, RFC 3056: embeds an IPv4 address; deprecated (RFC 7526), and no storage uses it
  ["3fff::", 20], // documentation, RFC 9637
];

const globalIpv6 = new BlockList();
for (const [network, prefix] of globalIpv6List) globalIpv6.addSubnet(network, prefix, "ipv6");

const notPublic = new BlockList();
for (const [network, prefix] of notPublicIpv6) notPublic.addSubnet(network, prefix, "ipv6");
for (const [network, prefix] of notPublicIpv4) {
  // BlockList also applies an IPv4 rule to IPv4-mapped addresses, but not to NAT64 addresses.
  notPublic.addSubnet(network, prefix, "ipv4");
  notPublic.addSubnet(`64:ff9b::${network}`, 96 + prefix, "ipv6");
}

// Reduces the stored part of a reader's address.

export type AddressStorage = "full" | "truncated" | "none";

/** The address to store: complete, truncated to its network (/24 or /48), or null. */
export function reduceAddress(address: string, storage: AddressStorage): string | null {
  if (storage === "none" || address === "") return null;
  return storage === "full" ? address : findNetwork(address);
}

function findNetwork(address: string): string | null {
  if (isIPv4(address)) return address.replace(/\d+$/, "0");
  return isIPv6(address) ? findIpv6Network(address, 48) : null;
}

/** The network of an IPv6 address with this prefix length. */
export function findIpv6Network(address: string, prefix: 48 | 56): string {
  const [a, b, c, d = 0] = parseGroups(address.replace(/%.*$/, ""));
  const groups = [a, b, c, prefix === 48 ? 0 : d & 0xff00];
  return canonicalize(`${groups.map((group) => group?.toString(16)).join(":")}::`);
}

/** The eight groups of an IPv6 address without a zone. */
function parseGroups(address: string): number[] {
  const [before = [], after = []] = canonicalize(address)
    .split("::")
    .map((part) => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16))));
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}

/** IPv6 in the notation of RFC 5952, which the URL parser produces from any other. */
const canonicalize = (address: string): string => new URL(`http://[${address}]`).hostname.slice(1, -1);

/** As sockets write it: each request of IPv4 on a socket for both has such an address. */
const MAPPED = /^::ffff:([\d.]+)$/;

/**
 * An IPv4-mapped address (`::ffff:192.0.2.1`, RFC 4291, 2.5.5.2), as IPv6 sockets report it, as an IPv4 address; anything
 * else unchanged.
 */
export function unmapAddress(address: string): string {
  const [, ipv4 = ""] = MAPPED.exec(address) ?? [];
  if (isIPv4(ipv4)) return ipv4;
  if (!isIPv6(address) || address.includes("%")) return address;
  const groups = parseGroups(address);
  const isMapped = groups.slice(0, 6).join() === "0,0,0,0,0,65535";
  return isMapped ? groups.slice(6).flatMap(bytesOf).join(".") : address;
}

const bytesOf = (group: number): number[] => [group >> 8, group & 0xff];

/**
 * An address in brackets or an IPv4 address, also in the notation of sockets for both, with or without a port; some proxies
 * put it in quotes (RFC 7239, 6).
 */
const WITH_PORT = /^"?(?:\[([^\]]*)\]|((?:::ffff:)?[\d.]+))(?::\d*)?"?$/i;

/**
 * The address of a client as proxies and sites write it, without its port: `1.2.3.4:5`, `[2001:db8::1]:5`,
 * `[2001:db8::1]`. An IPv4-mapped address becomes IPv4, and IPv6 has one notation, so that a reader has one address;
 * anything else is unchanged.
 */
export function cutPort(address: string): string {
  const [, ipv6, ipv4] = WITH_PORT.exec(address) ?? [];
  const plain = unmapAddress(ipv6 ?? ipv4 ?? address);
  return isIPv6(plain) && !plain.includes("%") ? canonicalize(plain) : plain;
}
