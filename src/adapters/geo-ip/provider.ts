/** The provider of City databases: MaxMind, or whoever offers the same files at an address of the operator's own. */
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { hostAndPortOf } from "../../lib/cloud-links.ts";
import { CloudFetch, type CloudFetchOptions } from "../cloud-fetch.ts";
import { GeoIpFormatError } from "./database.ts";

export interface GeoIpKey {
  accountId: string;
  licenseKey: string;
}

export interface GeoIpProviderOptions extends Omit<CloudFetchOptions, "maxBytes"> {
  key: GeoIpKey;
  /** Where the archive is, as an operator says: that host may be inside. Default: MaxMind's. */
  url?: string | undefined;
}

const MAXMIND = "https://download.maxmind.com/geoip/databases/GeoLite2-City/download?suffix=tar.gz";
/** Several times what the largest archive has. */
const MAX_ARCHIVE_BYTES = 256 * 1024 * 1024;
const MAX_CHECKSUM_BYTES = 1024;

/** Each method fails with a CloudFetchError, or with the signal's reason. */
export class GeoIpProvider {
  readonly #url: string;
  readonly #authorization: string;
  readonly #fetch: CloudFetch;

  constructor({ key, url, allowHosts, ...options }: GeoIpProviderOptions) {
    const ownHost = url === undefined ? undefined : hostAndPortOf(new URL(url));
    this.#url = url ?? MAXMIND;
    this.#authorization = `Basic ${Buffer.from(`${key.accountId}:${key.licenseKey}`).toString("base64")}`;
    this.#fetch = new CloudFetch({
      ...options,
      allowHosts: ownHost === undefined ? allowHosts : [...allowHosts, ownHost],
      maxBytes: MAX_ARCHIVE_BYTES,
    });
  }

  /** When the newest database was made, in epoch milliseconds; undefined when that can't be known beforehand. */
  newestAt(signal: AbortSignal): Promise<number | undefined> {
    return this.#fetch.lastModified(this.#url, { signal, authorization: this.#authorization });
  }

  archive(signal: AbortSignal): Promise<Readable> {
    return this.#fetch.open(this.#url, { signal, authorization: this.#authorization });
  }

  /**
   * The archive's SHA-256 in lower-case hexadecimal digits.
   * @throws GeoIpFormatError when the provider sends something else
   */
  async checksum(signal: AbortSignal): Promise<string> {
    const options = { signal, authorization: this.#authorization, maxBytes: MAX_CHECKSUM_BYTES };
    const said = await text(await this.#fetch.open(checksumUrl(this.#url), options));
    // As sha256sum writes it: the digits, blanks, the name of the file.
    const [, sha256] = /^\s*([\da-f]{64})(\s|$)/i.exec(said) ?? [];
    if (sha256 === undefined) throw new GeoIpFormatError("The provider's checksum is malformed.");
    return sha256.toLowerCase();
  }

  /** Ends what is under way. */
  close(): Promise<void> {
    return this.#fetch.close();
  }
}

/** Beside the archive: in the query where the query names the ending, else in the path. */
function checksumUrl(archiveUrl: string): string {
  const url = new URL(archiveUrl);
  const suffix = url.searchParams.get("suffix");
  if (suffix === null) url.pathname += ".sha256";
  else url.searchParams.set("suffix", `${suffix}.sha256`);
  return url.href;
}
