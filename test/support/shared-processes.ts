/**
 * The processes in which the service works on pictures and on the metadata of files, once for all services of a process of
 * tests: to start one takes as long as many a test. Each ends with the process of the tests.
 */
import { CoverImages } from "../../src/adapters/images/cover-images.ts";
import type { Scheduler } from "../../src/adapters/system.ts";
import { WatchedProcess } from "../../src/adapters/watched-process/watched-process.ts";
import { METADATA_PROCESS } from "../../src/operation/transfer/metadata/metadata-reader.ts";

class SharedImages extends CoverImages {
  override async close() {}
}

class SharedProcess extends WatchedProcess {
  override async close() {}
}

/** Idle ones stay for the next test. */
const schedule: Scheduler = () => () => {};

export const sharedProcesses = {
  images: new SharedImages({ schedule }),
  metadataProcess: new SharedProcess({ ...METADATA_PROCESS, schedule }),
};
