/** The settings that administrators see, and the update of the GeoIP City database. */
import type { GeoIpFile } from "../adapters/geo-ip/file.ts";
import type { GeoIpUpdate, Settings } from "../schemas/settings.schemas.ts";
import type { GeoIpRefresh } from "./geo-ip.ts";

type Installation = Pick<Settings, "nodeVersion" | "environment" | "appVersion">;

interface SettingsServiceDeps {
  installation: Installation;
  file: GeoIpFile;
  refresh: GeoIpRefresh;
}

export class SettingsService {
  readonly #deps: SettingsServiceDeps;

  constructor(deps: SettingsServiceDeps) {
    this.#deps = deps;
  }

  async get(): Promise<Settings> {
    const facts = await this.#deps.file.facts();
    return {
      geoipExists: facts !== undefined,
      geoipFileSize: facts?.sizeBytes ?? 0,
      geoipPath: this.#deps.file.path,
      ...this.#deps.installation,
      vendorKeyConfigured: this.#deps.refresh.hasKey,
    };
  }

  /** Throws the errors of an update. */
  async updateGeoIp(): Promise<GeoIpUpdate> {
    const { isReplaced, sizeBytes } = await this.#deps.refresh.run();
    const message = isReplaced ? "The City database was updated." : "The City database is up to date.";
    return { success: true, message, fileSize: sizeBytes };
  }
}
