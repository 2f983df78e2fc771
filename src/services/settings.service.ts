/** What an administrator sees of the installation, and the refresh of its City database. */
import type { GeoIpFile } from "../adapters/geo-ip/file.ts";
import type { GeoIpUpdate, Settings } from "../schemas/settings.schemas.ts";
import type { GeoIpRefresh } from "./geo-ip.ts";

type Installation = Pick<Settings, "nodeVersion" | "environment" | "appVersion">;

export class SettingsService {
  readonly #installation: Installation;
  readonly #file: GeoIpFile;
  readonly #refresh: GeoIpRefresh;

  constructor(uses: { installation: Installation; file: GeoIpFile; refresh: GeoIpRefresh }) {
    this.#installation = uses.installation;
    this.#file = uses.file;
    this.#refresh = uses.refresh;
  }

  async get(): Promise<Settings> {
    const facts = await this.#file.facts();
    return {
      geoipExists: facts !== undefined,
      geoipFileSize: facts?.sizeBytes ?? 0,
      geoipPath: this.#file.path,
      ...this.#installation,
      vendorKeyConfigured: this.#refresh.hasKey,
    };
  }

  /** Throws what a refresh throws. */
  async updateGeoIp(): Promise<GeoIpUpdate> {
    const { isReplaced, sizeBytes } = await this.#refresh.run();
    const message = isReplaced ? "The City database was updated." : "The City database is up to date.";
    return { success: true, message, fileSize: sizeBytes };
  }
}
