/** How fast a large file is sent by its token, and with how much memory, against Express' own `res.sendFile`. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { temporaryFolder } from "../lib/temporary-folder.ts";
import { askForLink } from "./administrator.ts";
import { downloadSpeed, runWhileStalled } from "./download-load.ts";
import { type MeasuredProcess, startMeasured } from "./measured-process.ts";
import { PLAIN_FILES_PROCESS, plainFilesFacts } from "./plain-files-process.ts";
import { type BenchRow, compare, speedRow } from "./row.ts";
import { SERVICE_PROCESS, serviceFacts } from "./service-process.ts";

const FILE_BYTES = 200_000_000;
const PART_BYTES = 25_000_000;
const CONNECTIONS = 64;
const ROUNDS = 9;
const MEBIBYTE = 1024 * 1024;

/** A server in its process, and where it has the file. */
interface Source {
  process: MeasuredProcess<unknown>;
  port: number;
  path: string;
}

export async function run(): Promise<BenchRow[]> {
  using folder = temporaryFolder("bench-send-file");
  const path = join(folder.path, "book.bin");
  await writeFile(path, Buffer.alloc(FILE_BYTES, "book"));
  return [
    await compareSpeed(path, "a file of 200 MB by token, one connection", {
      connections: 1,
      bytes: FILE_BYTES,
      least: 3,
    }),
    await compareSpeed(path, "25 MB of it each, 64 connections", {
      connections: CONNECTIONS,
      bytes: PART_BYTES,
      least: 1.8,
    }),
    await measureMemoryRow(path, "memory per connection, 64 downloading", downloadAll),
    await measureMemoryRow(path, "memory per connection, 64 that take nothing", stallAll),
  ];
}

async function startOurs(): Promise<Source> {
  const process = await startMeasured(SERVICE_PROCESS, ["service", String(FILE_BYTES)], serviceFacts);
  const { port, fileSlug } = process.facts;
  return { process, port, path: await askForLink(port, "sw", fileSlug) };
}

async function startExpress(path: string): Promise<Source> {
  const process = await startMeasured(PLAIN_FILES_PROCESS, [path], plainFilesFacts);
  return { process, port: process.facts.port, path: "/express" };
}

async function compareSpeed(
  path: string,
  what: string,
  { connections, bytes, least }: { connections: number; bytes: number; least: number },
): Promise<BenchRow> {
  const ours = await startOurs();
  const express = await startExpress(path);
  const load = { connections, bytes, isPart: bytes < FILE_BYTES };
  const speedOf = ({ port, path: from }: Source) => downloadSpeed({ ...load, port, path: from });
  try {
    const measured = await compare(
      ROUNDS,
      () => speedOf(ours),
      () => speedOf(express),
    );
    return speedRow(what, measured, least);
  } finally {
    await Promise.all([ours.process.stop(), express.process.stop()]);
  }
}

type Work = (source: Source) => Promise<unknown>;

const downloadAll: Work = ({ port, path }) =>
  downloadSpeed({ connections: CONNECTIONS, bytes: PART_BYTES, isPart: true, port, path });
/** Long enough for every response to fill the buffers of both sockets. */
const stallAll: Work = ({ port, path }) => runWhileStalled(port, path, CONNECTIONS, () => wait(1500));

async function measureMemoryRow(path: string, what: string, work: Work): Promise<BenchRow> {
  const ours = await measureGrowth(await startOurs(), work);
  const other = await measureGrowth(await startExpress(path), work);
  return {
    what,
    ours: `${ours.toFixed(2)} MiB`,
    other: `${other.toFixed(2)} MiB`,
    ratio: Number((ours / other).toFixed(2)),
    bound: "ours at most 1 MiB",
    ok: ours <= 1,
  };
}

/** MiB a connection by which the process grows at most, beyond what it holds after a first single download. */
async function measureGrowth(source: Source, work: Work): Promise<number> {
  try {
    await downloadSpeed({ ...source, connections: 1, bytes: FILE_BYTES, isPart: false });
    const before = await source.process.usage();
    await work(source);
    const { peak } = await source.process.usage();
    return (peak - before.now) / CONNECTIONS / MEBIBYTE;
  } finally {
    await source.process.stop();
  }
}
