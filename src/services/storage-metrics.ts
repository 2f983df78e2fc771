/** Storage metrics, collected only when they are requested. */
import type { FileCache } from "../adapters/files/file-cache.ts";
import type { GeoIpFile } from "../adapters/geo-ip/file.ts";
import { lastBackup } from "../backup/backup-directory.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { Metrics } from "../lib/metrics.ts";
import type { StoredFiles } from "./files/stored-files.ts";

interface StorageMetricsDeps {
  config: Config;
  database: Database;
  stored: StoredFiles;
  zipCache: FileCache;
  coverCache: FileCache;
  geoIpFile: GeoIpFile;
}

export function measureStorage(metrics: Metrics, deps: StorageMetricsDeps): void {
  const { config, database, stored, zipCache, coverCache, geoIpFile } = deps;
  metrics.gauge("sqlite_wal_bytes", "Size of the write-ahead log.", () => database.walBytes());
  metrics.counted("sqlite_faults_total", "How often the database refused to write, by kind.", () =>
    Object.entries(database.errors).map(([kind, value]) => ({ labels: { kind }, value })),
  );
  metrics.counted(
    "orphans_swept_total",
    "What sweeps removed: unfinished uploads, and bytes that no row named.",
    () => stored.sweptCount,
  );
  const caches = Object.entries({ zip: zipCache, cover: coverCache });
  metrics.gauge("cache_bytes", "What the files kept in a cache hold together.", () =>
    caches.map(([cache, { kept }]) => ({ labels: { cache }, value: kept.bytes })),
  );
  metrics.gauge("cache_files", "How many files a cache keeps.", () =>
    caches.map(([cache, { kept }]) => ({ labels: { cache }, value: kept.files })),
  );
  metrics.gauge(
    "geoip_database_time_seconds",
    "When the City database was made, in seconds since 1970; absent without one.",
    async () => {
      const facts = await geoIpFile.facts();
      return facts && facts.modifiedAt / 1000;
    },
  );
  metrics.gauge(
    "backup_last_time_seconds",
    "When the last verified backup was made, in seconds since 1970; absent without one.",
    async () => {
      const made = await lastBackup(config.dataDir);
      return made && Date.parse(made.createdAt) / 1000;
    },
  );
}
