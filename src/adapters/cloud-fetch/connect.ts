/** Connects to public addresses only, whatever the name resolves to and however often it changes. */
import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { buildConnector } from "undici";
import { isPublicAddress } from "../../lib/ip-address.ts";
import { CloudFetchError } from "./error.ts";

/** Every address of a host. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

export interface GuardedConnectorOptions {
  /** Whether this scheme, host and port may be reached at any address. */
  isTrusted: (origin: URL) => boolean;
  /** Time for name, connection and TLS together. */
  timeoutMs: number;
  resolve?: Resolve;
}

/**
 * A connector for undici's `connect` option. The look-up happens once for each connection, inside it, so the address
 * that was checked is the one connected to; the name stays what TLS asks for and compares the certificate with.
 */
export function guardedConnector(options: GuardedConnectorOptions): buildConnector.connector {
  const { isTrusted, timeoutMs: timeout, resolve = resolveBySystem } = options;
  const connectAnywhere = buildConnector({ timeout, allowH2: false, lookup: lookupBy(resolve) });
  const connectPublicly = buildConnector({ timeout, allowH2: false, lookup: lookupBy(publicly(resolve)) });
  return (target, callback) => {
    if (isTrusted(new URL(`${target.protocol}//${target.host}`))) return connectAnywhere(target, callback);
    // No look-up takes place for a host that is an address.
    const isInside = isIP(target.hostname) !== 0 && !isPublicAddress(target.hostname);
    return isInside ? callback(refusal(), null) : connectPublicly(target, callback);
  };
}

const resolveBySystem: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/** One inner address among several is enough to refuse: which of them is used isn't ours to choose. */
function publicly(resolve: Resolve): Resolve {
  return async (hostname) => {
    const addresses = [...(await resolve(hostname))];
    if (!addresses.every(isPublicAddress)) throw refusal();
    return addresses;
  };
}

const refusal = () => new CloudFetchError("refused_address", "The host has an address that isn't public.");

function lookupBy(resolve: Resolve): LookupFunction {
  return (hostname, { all }, callback) => {
    const response = (addresses: readonly string[]) => {
      const found = addresses.map((address) => ({ address, family: isIP(address) }));
      const [first] = found;
      if (first === undefined) callback(new Error("The host has no address."), []);
      else if (all) callback(null, found);
      else callback(null, first.address, first.family);
    };
    resolve(hostname).then(response, (error) => callback(error, []));
  };
}
