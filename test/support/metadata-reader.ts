/** A reader of metadata for the tests of a file: each process takes as long to start as a hundred files to read. */
import { afterAll } from "vitest";
import type { WorkLimits } from "../../src/adapters/watched-process/watched-process.ts";
import { MetadataReader } from "../../src/operation/transfer/metadata/metadata-reader.ts";
import { sharedProcesses } from "./shared-processes.ts";

/** Call it outside of the tests: the reader ends after the last one. With limits, it has a process of its own. */
export function createMetadataReader(limits?: WorkLimits): MetadataReader {
  const { images, metadataProcess: process } = sharedProcesses;
  const reader = new MetadataReader(limits ? { limits } : { images, process });
  afterAll(() => reader.close());
  return reader;
}
