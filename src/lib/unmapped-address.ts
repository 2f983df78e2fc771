/** IPv4 addresses in the form that sockets of IPv6 give them. */
import { isIPv6 } from "node:net";

/** An IPv4-mapped address (`::ffff:192.0.2.1`, RFC 4291, 2.5.5.2) in its own form; anything else as it is. */
export function unmappedAddress(address: string): string {
  if (!address.includes(":") || !isIPv6(address) || address.includes("%")) return address;
  // The URL parser knows all spellings and writes one (RFC 5952), in which the last groups are hexadecimal.
  const { hostname } = new URL(`http://[${address}]`);
  const [, high, low] = /^\[::ffff:([\da-f]+):([\da-f]+)\]$/.exec(hostname) ?? [];
  if (high === undefined || low === undefined) return address;
  return [high, low].flatMap((group) => bytesOf(Number.parseInt(group, 16))).join(".");
}

const bytesOf = (group: number): number[] => [group >> 8, group & 0xff];
