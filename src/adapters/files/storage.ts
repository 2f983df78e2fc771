/** Opens what the configuration stores files in: folders of the data folder, or a bucket. */
import { join } from "node:path";
import type { Config } from "../../config.ts";
import { CACHE_FOLDER, CITY_DATABASE_FILE, FILES_FOLDER } from "../../lib/data-dir-names.ts";
import type { Metric } from "../metrics.ts";
import { type Clock, createIdSource, systemClock } from "../system.ts";
import { type CachePlace, FileCache } from "./file-cache.ts";
import type { FileStore } from "./file-store.ts";
import { GROUP_MODES, PRIVATE_MODES } from "./file-store-disk.ts";
import { FolderCache } from "./folder-cache.ts";
import { FolderStore } from "./folder-store.ts";
import { FolderFile, type NamedFile } from "./named-file.ts";
import { ProxiedPaths } from "./proxied-paths.ts";

/** The parts of CACHE_MAX_BYTES: covers are small, and examined files are needed for an hour. */
export function splitCacheBytes(cacheMaxBytes: number) {
  const coverBytes = Math.floor(cacheMaxBytes / 8);
  const examinedBytes = Math.floor(cacheMaxBytes / 4);
  return { coverBytes, examinedBytes, zipBytes: cacheMaxBytes - coverBytes - examinedBytes };
}

interface StorageDeps {
  newId: () => string;
  clock: Clock;
}

export interface FileStorage {
  store: FileStore;
  zipCache: FileCache;
  coverCache: FileCache;
  cityFile: NamedFile;
  /** Only the process of the service registers them. */
  storeMetrics: readonly Metric[];
  closeStorage(): void;
}

/** @throws OperatorError if the bucket can't be used */
export async function openStorage(
  config: Config,
  deps: StorageDeps = { newId: createIdSource(systemClock), clock: systemClock },
): Promise<FileStorage> {
  const { zips, covers, ...opened } = await openPlaces(config, deps);
  return {
    ...opened,
    // A build is limited by the disk or the network; more concurrent builds would only slow each other down.
    zipCache: new FileCache({ place: zips, buildsAtOnce: 2 }),
    // The image queue already limits concurrent work.
    coverCache: new FileCache({ place: covers, buildsAtOnce: Number.POSITIVE_INFINITY }),
  };
}

/** The places of files and caches. */
interface Places extends Omit<FileStorage, "zipCache" | "coverCache"> {
  zips: CachePlace;
  covers: CachePlace;
}

async function openPlaces(config: Config, deps: StorageDeps): Promise<Places> {
  const { dataDir, storage, cacheMaxBytes, accelPrefix: prefix, filesMode } = config;
  const { coverBytes, zipBytes } = splitCacheBytes(cacheMaxBytes);
  const cityFile = new FolderFile(join(dataDir, CITY_DATABASE_FILE));
  if (storage !== undefined) {
    // Only here: the SDK costs time at the start, and memory.
    const { openBucket } = await import("./s3/open-bucket.ts");
    return await openBucket(storage, { ...deps, zipBytes, coverBytes, cityFile });
  }
  const directory = join(dataDir, CACHE_FOLDER);
  const zips = { directory, ending: "zip", maxBytes: zipBytes };
  const covers = { directory: join(directory, "covers"), ending: "cover", maxBytes: coverBytes };
  const proxied = prefix === undefined ? undefined : new ProxiedPaths({ dataDir, prefix, clock: deps.clock });
  const common = { ...deps, modes: filesMode === "group" ? GROUP_MODES : PRIVATE_MODES };
  return {
    store: new FolderStore({ ...common, proxied, directory: join(dataDir, FILES_FOLDER) }),
    zips: new FolderCache({ ...common, ...zips, proxied }),
    covers: new FolderCache({ ...common, ...covers }),
    cityFile,
    storeMetrics: [],
    closeStorage() {},
  };
}
