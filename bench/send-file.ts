/** How fast a large file is sent, and with how much memory, against Express' own `res.sendFile`. */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type BenchRow, compare, speedRow } from "./row.ts";
import { downloadSpeed, type Load, whileStalled } from "./send-file-client.ts";
import { type MeasuredServer, startServer } from "./send-file-server.ts";

const FILE_BYTES = 200_000_000;
const PART_BYTES = 25_000_000;
const CONNECTIONS = 64;
const MEBIBYTE = 1024 * 1024;

export async function run(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "bench-send-file-"));
  const path = join(folder, "book.bin");
  await writeFile(path, Buffer.alloc(FILE_BYTES, "book"));
  try {
    return [
      await compareSpeed(path, "a file of 200 MB, one connection", 1, FILE_BYTES, 9),
      await compareSpeed(path, "25 MB of it each, 64 connections", CONNECTIONS, PART_BYTES, 7),
      await memoryRow(path, "memory per connection, 64 downloading", downloadAll),
      await memoryRow(path, "memory per connection, 64 that take nothing", stallAll),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function compareSpeed(
  path: string,
  what: string,
  connections: number,
  bytes: number,
  rounds: number,
): Promise<BenchRow> {
  const server = await startServer(path);
  try {
    const load = { port: server.port, connections, bytes, isPart: bytes < FILE_BYTES };
    const measured = await compare(
      rounds,
      () => downloadSpeed({ ...load, path: "/ours" }),
      () => downloadSpeed({ ...load, path: "/express" }),
    );
    return speedRow(what, measured, 2.5);
  } finally {
    server.stop();
  }
}

type Work = (server: MeasuredServer, path: string) => Promise<unknown>;

const wholeFile = { connections: 1, bytes: FILE_BYTES, isPart: false };
const part = { connections: CONNECTIONS, bytes: PART_BYTES, isPart: true };

const downloadAll: Work = ({ port }, path) => downloadSpeed({ ...part, port, path });
/** Long enough for every answer to fill the buffers of both sockets. */
const stallAll: Work = ({ port }, path) => whileStalled(port, path, CONNECTIONS, () => wait(1500));

async function memoryRow(path: string, what: string, work: Work): Promise<BenchRow> {
  const ours = await growth(path, "/ours", work);
  const other = await growth(path, "/express", work);
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
async function growth(path: string, route: string, work: Work): Promise<number> {
  const server = await startServer(path);
  try {
    const warmUp: Load = { ...wholeFile, port: server.port, path: route };
    await downloadSpeed(warmUp);
    const before = await server.memory();
    await work(server, route);
    const { peak } = await server.memory();
    return (peak - before.now) / CONNECTIONS / MEBIBYTE;
  } finally {
    server.stop();
  }
}

if (import.meta.main) console.table(await run());
