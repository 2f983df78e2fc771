/** The settings that administrators see, and the update of the GeoIP City database. */
import type { GeoIp } from "../adapters/geo-ip/geo-ip.ts";
import { readLastBackup } from "../adapters/last-backup.ts";
import { isoTimeOrNull } from "../lib/time.ts";
import type { GeoIpUpdate, Settings } from "../schemas/settings.schemas.ts";
import type { GeoIpUpdates } from "./geo-ip.ts";
import { Service } from "./shared/service.ts";

type Installation = Pick<Settings, "nodeVersion" | "environment" | "appVersion">;

interface SettingsServiceDeps {
  dataDir: string;
  installation: Installation;
  geoIp: GeoIp;
  geoIpUpdates: GeoIpUpdates;
}

export class SettingsService extends Service<SettingsServiceDeps> {
  async get(): Promise<Settings> {
    const { geoIp, geoIpUpdates, installation } = this.deps;
    const facts = await geoIp.readFacts();
    const backup = await readLastBackup(this.deps.dataDir);
    return {
      geoipExists: facts !== undefined,
      geoipFileSize: facts?.sizeBytes ?? 0,
      geoipPath: facts?.path ?? geoIp.path,
      geoipBuiltAt: isoTimeOrNull(geoIp.citiesBuiltAt?.getTime() ?? null),
      ...installation,
      vendorKeyConfigured: geoIpUpdates.hasKey,
      lastBackupAt: isoTimeOrNull(backup ? Date.parse(backup.createdAt) : null),
    };
  }

  /** Throws the errors of an update. */
  async updateGeoIp(): Promise<GeoIpUpdate> {
    const { isReplaced, sizeBytes } = await this.deps.geoIpUpdates.run();
    const message = isReplaced ? "The City database was updated." : "The City database is up to date.";
    return { success: true, message, fileSize: sizeBytes };
  }
}
