/** Storage metrics, collected only when they are scraped. */
import type { Registry } from "prom-client";
import type { FileCache } from "../adapters/files/file-cache.ts";
import type { GeoIp } from "../adapters/geo-ip/geo-ip.ts";
import { addCounter, addGauge } from "../adapters/metrics.ts";
import { lastBackup } from "../backup/backup-directory.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { StoredFiles } from "./files/stored-files.ts";

interface StorageMetricsDeps {
  config: Config;
  database: Database;
  stored: StoredFiles;
  zipCache: FileCache;
  coverCache: FileCache;
  geoIp: GeoIp;
}

/** @param registry gets the metrics */
export function addStorageMetrics(registry: Registry, deps: StorageMetricsDeps): void {
  const { config, database, stored, zipCache, coverCache, geoIp } = deps;
  addGauge(registry, {
    name: "bookdist_sqlite_wal_bytes",
    help: "Size of the write-ahead log; absent on PostgreSQL.",
    read: () => database.walBytes(),
  });
  addCounter(registry, {
    name: "bookdist_sqlite_errors_total",
    help: "How often the database rejected a write, by kind.",
    label: "kind",
    read: () => database.errors,
  });
  addCounter(registry, {
    name: "bookdist_orphans_swept_total",
    help: "Unfinished uploads, and stored bytes without a row, that were removed.",
    read: () => stored.sweptCount,
  });
  addGauge(registry, {
    name: "bookdist_cache_bytes",
    help: "Total size of the files in a cache.",
    label: "cache",
    read: () => ({ zip: zipCache.kept.bytes, cover: coverCache.kept.bytes }),
  });
  addGauge(registry, {
    name: "bookdist_cache_files",
    help: "Number of files in a cache.",
    label: "cache",
    read: () => ({ zip: zipCache.kept.files, cover: coverCache.kept.files }),
  });
  addGauge(registry, {
    name: "bookdist_geoip_database_timestamp_seconds",
    help: "When the City database was made, in seconds since 1970; absent without one.",
    async read() {
      const facts = await geoIp.facts();
      return facts && facts.modifiedAt / 1000;
    },
  });
  addGauge(registry, {
    name: "bookdist_backup_last_timestamp_seconds",
    help: "When the last verified backup was made, in seconds since 1970; absent without one.",
    async read() {
      const made = await lastBackup(config.dataDir);
      return made && Date.parse(made.createdAt) / 1000;
    },
  });
}
