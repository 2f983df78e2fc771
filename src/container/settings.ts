/** The settings, and what keeps the City database new. */
import { GeoIpProvider } from "../adapters/geo-ip-provider.ts";
import { systemLater } from "../adapters/timer.ts";
import { GeoIpRefresh } from "../services/geo-ip-refresh.ts";
import { GeoIpSchedule } from "../services/geo-ip-schedule.ts";
import { SettingsService } from "../services/settings.service.ts";
import { appVersion } from "../version.ts";
import type { Uses } from "./uses.ts";

export function joinSettings({ config, geoIp, geoIpFile: file, clock, log }: Uses) {
  const { environment, geoIpKey: key, geoIpDownloadUrl: url, cloudFetchAllowHosts: allowHosts } = config;
  const provider = key && new GeoIpProvider({ key, url, allowHosts });
  const refresh = new GeoIpRefresh({ provider, file, geoIp, log });
  const installation = { nodeVersion: process.version, environment, appVersion };
  return {
    settings: new SettingsService({ installation, file, refresh }),
    geoIpRefresh: refresh,
    geoIpSchedule: new GeoIpSchedule({ refresh, file, geoIp, clock, later: systemLater, log }),
  };
}
