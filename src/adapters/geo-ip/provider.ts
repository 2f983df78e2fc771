/** The provider of City databases: MaxMind, or a mirror that the operator configures. */
import { text } from "node:stream/consumers";
import { hostAndPortOf } from "../../lib/cloud-links.ts";
import { CloudFetch, type CloudFetchOptions } from "../cloud-fetch.ts";
import { GeoIpFormatError } from "./database.ts";

export interface GeoIpProviderOptions extends Omit<CloudFetchOptions, "maxBytes"> {
  key: { accountId: string; licenseKey: string };
  /** The archive on the operator's own mirror, which can have a private address. Default: MaxMind's. */
  url?: string | undefined;
}

const MAXMIND = "https://download.maxmind.com/geoip/databases/GeoLite2-City/download?suffix=tar.gz";
/** Several times the size of the largest archive. */
const MAX_ARCHIVE_BYTES = 256 * 1024 * 1024;
const MAX_CHECKSUM_BYTES = 1024;

/** Each method fails with a CloudFetchError, or with the signal's reason. */
export class GeoIpProvider {
  readonly #url: string;
  readonly #authorization: string;
  readonly #fetch: CloudFetch;

  constructor({ key, url = MAXMIND, allowHosts, ...options }: GeoIpProviderOptions) {
    const mirror = url === MAXMIND ? undefined : hostAndPortOf(new URL(url));
    this.#url = url;
    this.#authorization = `Basic ${Buffer.from(`${key.accountId}:${key.licenseKey}`).toString("base64")}`;
    this.#fetch = new CloudFetch({
      ...options,
      allowHosts: mirror === undefined ? allowHosts : [...allowHosts, mirror],
      maxBytes: MAX_ARCHIVE_BYTES,
    });
  }

  /** The time of the latest database in epoch milliseconds; undefined if the provider doesn't send one. */
  fetchNewestAt(signal: AbortSignal): Promise<number | undefined> {
    return this.#fetch.fetchLastModified(this.#url, { signal, authorization: this.#authorization });
  }

  /** @returns the bytes of the latest database. @throws GeoIpFormatError also if the checksum doesn't match */
  async download(signal: AbortSignal): Promise<Buffer> {
    const asked = { signal, authorization: this.#authorization };
    const checksum = await this.#fetch.open(createChecksumUrl(this.#url), {
      ...asked,
      maxBytes: MAX_CHECKSUM_BYTES,
    });
    // In the format of sha256sum: the digits, spaces, the file name.
    const [, expected] = /^\s*([\da-f]{64})(\s|$)/i.exec(await text(checksum)) ?? [];
    if (expected === undefined) throw new GeoIpFormatError("The provider's checksum is malformed.");
    const { unpackDatabase } = await import("./archive.ts");
    const { database, sha256 } = await unpackDatabase(await this.#fetch.open(this.#url, asked));
    if (sha256 !== expected.toLowerCase()) {
      throw new GeoIpFormatError("The archive doesn't match the provider's checksum.");
    }
    return database;
  }

  /** Ends downloads in progress. */
  close(): Promise<void> {
    return this.#fetch.close();
  }
}

/** Next to the archive: in the query if the query contains the extension, or else in the path. */
function createChecksumUrl(archiveUrl: string): string {
  const url = new URL(archiveUrl);
  const suffix = url.searchParams.get("suffix");
  if (suffix === null) url.pathname += ".sha256";
  else url.searchParams.set("suffix", `${suffix}.sha256`);
  return url.href;
}
