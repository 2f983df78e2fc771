/** The ranges of proxies in TRUST_PROXY, for a look at the addresses that are in them. */
import { BlockList, isIP } from "node:net";

/** As the package `proxy-addr` knows them, by which Express trusts proxies. */
const NAMED_RANGES: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.1/8", "::1/128"],
  linklocal: ["169.254.0.0/16", "fe80::/10"],
  uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
};

/** Bits of the widest public ranges: those of large CDNs are smaller, and readers are in larger ones. */
const WIDEST_PUBLIC = { 4: 12, 6: 24 } as const;

export interface TrustedRange {
  /** As the operator has written it. */
  text: string;
  /** Whether it is so wide that readers are in it. */
  isTooWide: boolean;
  contains(address: string): boolean;
}

/** A range of proxies. Its addresses don't include those of this machine, from which no reader comes. */
export function parseTrustedRange(text: string): TrustedRange {
  const range = createRange(text);
  const loopback = createRange("loopback");
  return {
    text,
    isTooWide: (NAMED_RANGES[text] ?? [text]).some(isTooWide),
    contains: (address) => isIn(range, address) && !isIn(loopback, address),
  };
}

function createRange(text: string): BlockList {
  const range = new BlockList();
  for (const each of NAMED_RANGES[text] ?? [text]) {
    const { address, family, bits } = split(each);
    range.addSubnet(address, bits, family === 6 ? "ipv6" : "ipv4");
  }
  return range;
}

function isTooWide(range: string): boolean {
  const { address, family, bits } = split(range);
  if (bits >= WIDEST_PUBLIC[family]) return false;
  const holders = Object.values(NAMED_RANGES).flat();
  return !holders.some((named) => bits >= split(named).bits && isIn(createRange(named), address));
}

function split(range: string) {
  const [address = "", prefix] = range.split("/");
  const family = isIP(address) === 6 ? 6 : 4;
  return {
    address,
    family,
    bits: prefix === undefined ? { 4: 32, 6: 128 }[family] : Number(prefix),
  } as const;
}

const isIn = (range: BlockList, address: string): boolean => {
  const family = isIP(address);
  return family !== 0 && range.check(address, family === 6 ? "ipv6" : "ipv4");
};
