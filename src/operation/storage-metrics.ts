/** Storage metrics, collected only when they are scraped. */
import type { Metric } from "prom-client";
import type { FileCache } from "../adapters/files/file-cache.ts";
import type { GeoIp } from "../adapters/geo-ip/geo-ip.ts";
import { readLastBackup } from "../adapters/last-backup.ts";
import type { Metrics } from "../adapters/metrics.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { ReplacedBytesRepository } from "../repositories/replaced-bytes.repository.ts";
import type { Availability } from "../services/availability.ts";
import type { UnwrittenRedemptions } from "../services/downloads/unwritten-redemptions.ts";
import type { StoredFiles } from "../services/files/stored-files.ts";

interface StorageMetricsDeps {
  config: Config;
  database: Database;
  availability: Availability;
  stored: StoredFiles;
  reports: { replacedBytes: Pick<ReplacedBytesRepository, "measure"> };
  unwritten: UnwrittenRedemptions;
  zipCache: FileCache;
  coverCache: FileCache;
  storeMetrics: readonly Metric[];
  geoIp: GeoIp;
}

/** @param metrics gets the metrics of the storage */
export function addStorageMetrics(metrics: Metrics, deps: StorageMetricsDeps): void {
  const { config, database, availability, stored, zipCache, coverCache, geoIp } = deps;
  metrics.addGauge({
    name: "bookdist_dependency_up",
    help: "1 if the database or the file store responds, otherwise 0.",
    label: "dependency",
    async read() {
      const { database, files } = await availability.readState();
      return { database: Number(database), files: Number(files) };
    },
  });
  addDatabaseMetrics(metrics, database);
  for (const metric of deps.storeMetrics) metrics.registry.registerMetric(metric);
  addSweepMetrics(metrics, stored);
  addReplacedMetrics(metrics, deps.reports.replacedBytes);
  addUnwrittenMetrics(metrics, deps.unwritten);
  metrics.addGauge({
    name: "bookdist_cache_bytes",
    help: "Total size of the files in a cache.",
    label: "cache",
    read: () => ({ zip: zipCache.kept.bytes, cover: coverCache.kept.bytes }),
  });
  metrics.addGauge({
    name: "bookdist_cache_files",
    help: "Number of files in a cache.",
    label: "cache",
    read: () => ({ zip: zipCache.kept.files, cover: coverCache.kept.files }),
  });
  metrics.addGauge({
    name: "bookdist_geoip_database_timestamp_seconds",
    help: "When the City database was made, in seconds since 1970; absent without one.",
    async read() {
      const facts = await geoIp.readFacts();
      return facts && facts.modifiedAt / 1000;
    },
  });
  metrics.addGauge({
    name: "bookdist_backup_last_timestamp_seconds",
    help: "When the last verified backup was made, in seconds since 1970; absent without one.",
    async read() {
      const made = await readLastBackup(config.dataDir);
      return made && Date.parse(made.createdAt) / 1000;
    },
  });
}

function addReplacedMetrics(metrics: Metrics, replaced: Pick<ReplacedBytesRepository, "measure">): void {
  metrics.addGauge({
    name: "bookdist_replaced_files",
    help: "Number of files that are kept only because they were replaced.",
    read: async () => (await replaced.measure()).files,
  });
  metrics.addGauge({
    name: "bookdist_replaced_bytes",
    help: "Total size of the files that are kept only because they were replaced.",
    read: async () => (await replaced.measure()).bytes,
  });
}

function addUnwrittenMetrics(metrics: Metrics, unwritten: UnwrittenRedemptions): void {
  metrics.addGauge({
    name: "bookdist_redemptions_waiting",
    help: "Redemptions that wait until the database can take them.",
    read: async () => (await unwritten.readState()).waiting,
  });
  metrics.addCounter({
    name: "bookdist_redemptions_dropped_total",
    help: "Redemptions that waited too long, or were too many, and are not recorded.",
    read: () => unwritten.droppedCount,
  });
}

function addSweepMetrics(metrics: Metrics, stored: StoredFiles): void {
  metrics.addCounter({
    name: "bookdist_orphans_swept_total",
    help: "Unfinished uploads that were deleted, and stored files without a row that were set aside.",
    read: () => stored.sweptCount,
  });
  metrics.addGauge({
    name: "bookdist_removed_files",
    help: "Number of files that are set aside, at the start and then once a day.",
    read: () => stored.setAsideSize?.files,
  });
  metrics.addGauge({
    name: "bookdist_removed_bytes",
    help: "Total size of the files that are set aside, at the start and then once a day.",
    read: () => stored.setAsideSize?.bytes,
  });
}

function addDatabaseMetrics(metrics: Metrics, database: Database): void {
  if (database.source.kind === "sqlite") {
    metrics.addGauge({
      name: "bookdist_sqlite_wal_bytes",
      help: "Size of the write-ahead log.",
      read: () => database.readWalBytes(),
    });
  }
  metrics.addCounter({
    name: `bookdist_${database.source.kind}_errors_total`,
    help: "How often the database rejected a write, by kind.",
    label: "kind",
    read: () => database.errors,
  });
  metrics.addGauge({
    name: "bookdist_waiting_writes",
    help: "Changes that wait for the database.",
    read: () => database.countWaitingWrites(),
  });
  if (database.source.kind === "postgres") addServerMetrics(metrics, database);
}

function addServerMetrics(metrics: Metrics, database: Database): void {
  const states = [
    ["total", "bookdist_postgres_connections", "Open connections to the database server, by pool."],
    ["idle", "bookdist_postgres_connections_idle", "Connections that no statement uses, by pool."],
    ["waiting", "bookdist_postgres_connections_waiting", "Calls that wait for a connection, by pool."],
  ] as const;
  for (const [state, name, help] of states) {
    metrics.addGauge({
      name,
      help,
      label: "pool",
      read: () => database.measureServerUse()?.connections[state],
    });
  }
  metrics.addCounter({
    name: "bookdist_postgres_writer_wait_seconds_total",
    help: "How long the writes of this instance have waited for those of other instances.",
    read: () => database.measureServerUse()?.lockWaitSeconds,
  });
}
