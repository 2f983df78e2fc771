/** Writes small databases in MaxMind's format 2.0: a search tree over the bits of addresses, data, metadata. Packs them as MaxMind does. */
import { isIPv4 } from "node:net";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { type Header, pack } from "tar-stream";

/** A value of the data section. */
export type MmdbValue = string | number | boolean | MmdbValue[] | { [key: string]: MmdbValue };

export interface MmdbOptions {
  /** Default `GeoLite2-City`. */
  type?: string;
  recordSize?: 24 | 28;
}

/** @param networks values by network, such as `81.2.69.0/24` or `2a02:2e0::/32`; none may lie in another */
export function writeMmdb(
  networks: Readonly<Record<string, MmdbValue>>,
  { type = "GeoLite2-City", recordSize = 28 }: MmdbOptions = {},
): Buffer {
  const data: Buffer[] = [];
  let dataBytes = 0;
  const nodes: Node[] = [[undefined, undefined]];
  for (const [network, value] of Object.entries(networks)) {
    const encoded = encode(value);
    place(nodes, listBits(network), { at: dataBytes });
    data.push(encoded);
    dataBytes += encoded.length;
  }
  const metadata = {
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_770_000_000,
    database_type: type,
    description: { en: "Written by a test" },
    ip_version: 6,
    languages: ["en"],
    node_count: nodes.length,
    record_size: recordSize,
  };
  return Buffer.concat([
    ...nodes.map((node) => writeNode(node, nodes.length, recordSize)),
    Buffer.alloc(SEPARATOR_BYTES),
    ...data,
    Buffer.from("\xab\xcd\xefMaxMind.com", "latin1"),
    encode(metadata),
  ]);
}

/** A record of GeoLite2-City, as far as anybody here reads it. */
export const createCityRecord = (countryCode: string, country: string, city?: string): MmdbValue => ({
  ...(city !== undefined && { city: { geoname_id: 1, names: { de: `${city} (de)`, en: city } } }),
  continent: { code: "EU", names: { en: "Europe" } },
  country: { geoname_id: 2, iso_code: countryCode, names: { de: `${country} (de)`, en: country } },
  location: { accuracy_radius: 20, latitude: 51.5, longitude: -0.1, time_zone: "Europe/London" },
});

const SEPARATOR_BYTES = 16;

/** Where a bit leads: to another node, to a value, or nowhere. */
type Branch = number | { at: number } | undefined;
type Node = [zero: Branch, one: Branch];

function place(nodes: Node[], bits: readonly number[], value: { at: number }): void {
  let node = nodes[0];
  for (const [depth, bit] of bits.entries()) {
    if (!node) throw new Error("A network lies in another");
    if (depth === bits.length - 1) {
      node[bit === 0 ? 0 : 1] = value;
      return;
    }
    const branch: Branch = node[bit === 0 ? 0 : 1] ?? nodes.push([undefined, undefined]) - 1;
    node[bit === 0 ? 0 : 1] = branch;
    node = typeof branch === "number" ? nodes[branch] : undefined;
  }
}

/** The leading bits of a network's address; IPv4 is the part `::/96` of the tree. */
function listBits(network: string): number[] {
  const [address = "", prefix = ""] = network.split("/");
  const isIpv4 = isIPv4(address);
  const groups = isIpv4 ? [0, 0, 0, 0, 0, 0, ...parseIpv4(address)] : parseIpv6(address);
  const bits = groups.flatMap((group) =>
    Array.from({ length: 16 }, (_, index) => (group >> (15 - index)) & 1),
  );
  return bits.slice(0, Number(prefix) + (isIpv4 ? 96 : 0));
}

function parseIpv4(address: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  return [(a << 8) | b, (c << 8) | d];
}

function parseIpv6(address: string): number[] {
  const [head = [], tail = []] = address
    .split("::")
    .map((part) => part.split(":").filter((group) => group !== ""));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => "0");
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
}

function writeNode(node: Node, nodeCount: number, recordSize: 24 | 28): Buffer {
  const [zero, one] = node.map((branch) => recordOf(branch, nodeCount));
  if (zero === undefined || one === undefined) throw new Error("A node has two records");
  const bytes = Buffer.alloc(recordSize / 4);
  bytes.writeUIntBE(zero & 0xffffff, 0, 3);
  bytes.writeUIntBE(one & 0xffffff, bytes.length - 3, 3);
  // The highest four bits of both share the byte between them.
  if (recordSize === 28) bytes[3] = ((zero >>> 24) << 4) | (one >>> 24);
  return bytes;
}

/** Below the number of nodes: a node. That number: nothing. Above: the value's place, after the separator. */
function recordOf(branch: Branch, nodeCount: number): number {
  if (branch === undefined) return nodeCount;
  return typeof branch === "number" ? branch : nodeCount + SEPARATOR_BYTES + branch.at;
}

const TYPES = { text: 2, double: 3, uint32: 6, map: 7, array: 11, boolean: 14 };

function encode(value: MmdbValue): Buffer {
  if (typeof value === "string") return withHead(TYPES.text, Buffer.byteLength(value), Buffer.from(value));
  if (typeof value === "boolean") return withHead(TYPES.boolean, value ? 1 : 0);
  if (typeof value === "number") return encodeNumber(value);
  if (Array.isArray(value)) return withHead(TYPES.array, value.length, ...value.map(encode));
  const pairs = Object.entries(value);
  return withHead(TYPES.map, pairs.length, ...pairs.flatMap(([key, each]) => [encode(key), encode(each)]));
}

function encodeNumber(value: number): Buffer {
  const isWhole = Number.isInteger(value) && value >= 0;
  const bytes = Buffer.alloc(isWhole ? 4 : 8);
  if (isWhole) bytes.writeUInt32BE(value);
  else bytes.writeDoubleBE(value);
  return withHead(isWhole ? TYPES.uint32 : TYPES.double, bytes.length, bytes);
}

/** Type and size: types above 7 have a byte of their own, sizes from 29 on one or two. */
function withHead(type: number, size: number, ...content: Buffer[]): Buffer {
  const [short, more] =
    size < 29 ? [size, []] : size < 285 ? [29, [size - 29]] : [30, [(size - 285) >> 8, (size - 285) & 0xff]];
  const head = type > 7 ? [short, type - 7] : [(type << 5) | short];
  return Buffer.concat([Buffer.from([...head, ...more]), ...content]);
}

export type ArchiveEntry = Partial<Header> & { name: string; content?: Buffer | string };

export const FOLDER = "GeoLite2-City_20260224";

/** The archive as MaxMind packs it. */
export const createUsualEntries = (database: Buffer): ArchiveEntry[] => [
  { name: `${FOLDER}/`, type: "directory" },
  { name: `${FOLDER}/README.txt`, content: "Read me" },
  { name: `${FOLDER}/COPYRIGHT.txt`, content: "Database and Contents Copyright" },
  { name: `${FOLDER}/GeoLite2-City.mmdb`, content: database },
  { name: `${FOLDER}/LICENSE.txt`, content: "Use of this MaxMind product is governed by" },
];

export async function packTarGz(entries: readonly ArchiveEntry[]): Promise<Buffer> {
  const tar = pack();
  for (const { content = "", ...header } of entries) tar.entry(header, content);
  tar.finalize();
  return gzipSync(await buffer(tar));
}
