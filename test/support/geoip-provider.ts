/** MaxMind as far as a download needs it: a host that asks for the key, and the storage to which it sends callers on. */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import {
  type ArchiveEntry,
  createCityRecord,
  createUsualEntries,
  FOLDER,
  packTarGz,
  writeMmdb,
} from "../../tools/lib/mmdb-writer.ts";
import { type Host, startHost } from "../adapters/cloud-fetch-host.ts";
import { hashBytes } from "./stored-files.ts";

export const KEY = { accountId: "123456", licenseKey: "k3y_0f_MaxMind_s3cr3t" };
/** Neither may be found anywhere but in requests to the provider. */
export const SECRETS = [KEY.licenseKey, Buffer.from(`${KEY.accountId}:${KEY.licenseKey}`).toString("base64")];

/** An address in each of the databases below. */
export const READER = "81.2.69.142";

/** What a test finds in the folder, and what the provider has instead. */
export const OLD_DATABASE = writeMmdb({
  "81.2.69.0/24": createCityRecord("GB", "United Kingdom", "Boxford"),
});
export const NEW_DATABASE = writeMmdb({
  "81.2.69.0/24": createCityRecord("GB", "United Kingdom", "London"),
  "2a02:2e0::/32": createCityRecord("DE", "Germany", "Hannover"),
});
export const RELEASED = "Tue, 24 Feb 2026 15:42:21 GMT";

/** Answers in place of the usual; false leaves it to the usual after all. */
type Misbehaviour = (request: IncomingMessage, response: ServerResponse) => unknown;

export class GeoIpProviderHost {
  /** The archive that it gives. */
  archive: Buffer;
  /** The content of `.sha256`. */
  checksum: string;
  lastModified: string | undefined = RELEASED;
  /** What the host of the key does, once the key is right; and what the storage does. */
  misbehave: Misbehaviour = () => false;
  misbehaveInStorage: Misbehaviour = () => false;
  #host: Host | undefined;
  #storage: Host | undefined;

  private constructor(archive: Buffer) {
    this.archive = archive;
    this.checksum = formatChecksumFile(archive);
  }

  static async start(): Promise<GeoIpProviderHost> {
    const provider = new GeoIpProviderHost(await packTarGz(createUsualEntries(NEW_DATABASE)));
    provider.#storage = await startHost((...call) => provider.#store(...call));
    provider.#host = await startHost((...call) => provider.#admit(...call));
    return provider;
  }

  get host(): Host {
    if (!this.#host) throw new Error("The provider hasn't started");
    return this.#host;
  }

  get storage(): Host {
    if (!this.#storage) throw new Error("The storage hasn't started");
    return this.#storage;
  }

  get url(): string {
    return `http://${this.host.hostAndPort}/geoip/databases/GeoLite2-City/download?suffix=tar.gz`;
  }

  /** What makes the service ask here. */
  get variables() {
    return {
      MAXMIND_ACCOUNT_ID: KEY.accountId,
      MAXMIND_LICENSE_KEY: KEY.licenseKey,
      GEOIP_DOWNLOAD_URL: this.url,
      CLOUD_FETCH_ALLOW_HOSTS: this.storage.hostAndPort,
    };
  }

  /** Method and ending of each request to the host of the key, in order. */
  get asked(): string[] {
    return this.host.requests.map(({ method, url = "" }) => `${method} ${url.replace(/^.*suffix=/, "")}`);
  }

  /** Ends all misbehaviour. */
  behave(): void {
    this.misbehave = this.misbehaveInStorage = () => false;
  }

  /** Sends half of the archive. @returns what sends the rest, once the half is on its way */
  stall(): Promise<() => void> {
    return new Promise((resolve) => {
      this.misbehaveInStorage = (request, response) => {
        if (!asksForArchive(request)) return false;
        const half = Math.floor(this.archive.length / 2);
        response.writeHead(200, { "content-length": this.archive.length });
        response.write(this.archive.subarray(0, half), () =>
          resolve(() => response.end(this.archive.subarray(half))),
        );
      };
    });
  }

  /** Gives another archive, with the right checksum. */
  async offer(entries: readonly ArchiveEntry[] | Buffer): Promise<void> {
    this.archive = Buffer.isBuffer(entries) ? entries : await packTarGz(entries);
    this.checksum = formatChecksumFile(this.archive);
  }

  readonly #admit: RequestListener = (request, response) => {
    const { authorization } = request.headers;
    if (authorization !== `Basic ${SECRETS[1]}`) {
      response.writeHead(401, { "content-type": "application/json" });
      response.end(
        '{"code":"AUTHORIZATION_INVALID","error":"Your account ID or license key could not be authenticated."}',
      );
      return;
    }
    if (this.misbehave(request, response) !== false) return;
    const suffix = new URL(request.url ?? "", this.url).searchParams.get("suffix");
    const location = `http://${this.storage.hostAndPort}/${FOLDER}.${suffix}?X-Amz-Signature=5167ed`;
    response.writeHead(302, { location, "content-type": "text/html" }).end("<a>Found</a>");
  };

  readonly #store: RequestListener = (request, response) => {
    if (request.headers.authorization !== undefined) {
      response.writeHead(400, { "content-type": "application/xml" }).end("<Code>InvalidArgument</Code>");
      return;
    }
    if (this.misbehaveInStorage(request, response) !== false) return;
    const isChecksum = request.url?.includes(".sha256?") ?? false;
    const content = isChecksum ? Buffer.from(this.checksum) : this.archive;
    response.writeHead(200, {
      "content-type": isChecksum ? "text/plain" : "application/gzip",
      "content-length": content.length,
      ...(this.lastModified !== undefined && { "last-modified": this.lastModified }),
    });
    response.end(content);
  };
}

const formatChecksumFile = (archive: Buffer): string => `${hashBytes(archive)}  ${FOLDER}.tar.gz\n`;

/** Whether this is the request for the archive itself. */
export const asksForArchive = ({ method, url = "" }: IncomingMessage): boolean =>
  method === "GET" && !url.includes(".sha256");
