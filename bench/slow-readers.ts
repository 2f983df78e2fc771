/** A hundred readers who take 4 kB a second: the memory for them, and how others fare. `BENCH_SECONDS` makes it shorter. */
import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { Administrator, askForLink } from "./administrator.ts";
import { downloadSpeed } from "./download-load.ts";
import { waitRow } from "./other-reader.ts";
import { descriptorsOf, forgetPeak, memoryOf, type RealServer, withRealServer } from "./real-server.ts";
import { type BenchRow, boundRow, median, speedRow } from "./row.ts";

const READERS = 100;
const TAKEN_BYTES = 4000;
const EVERY_MS = 1000;
/** Longer than a connection may stand still. */
const SECONDS = Number(process.env.BENCH_SECONDS ?? 45);
/** More than the system keeps on its way to a reader. */
const FILE_BYTES = 50_000_000;
const FAST_DOWNLOADS = 7;
const MEGABYTE = 1e6;

export const run = (): Promise<BenchRow[]> => withRealServer({}, serveSlowly);

async function serveSlowly(server: RealServer): Promise<BenchRow[]> {
  const { port } = server;
  const idle = memoryOf(server).now;
  const { slug } = await (await Administrator.of(port)).addLargeBook("en", FILE_BYTES);
  const path = await askForLink(port, "en", slug);
  const other = await fastSpeed(port, path);
  forgetPeak(server);
  const readers = Array.from({ length: READERS }, () => readSlowly(port, path));
  let ours = 0;
  const others = await waitRow(`${READERS} slow downloads`, port, async () => {
    ours = await fastSpeed(port, path);
    await wait(SECONDS * 1000);
  });
  const growth = (memoryOf(server).peak - idle) / MEGABYTE;
  const served = descriptorsOf(server).filter((target) => target.includes("/files/")).length;
  for (const reader of readers) reader.destroy();
  return [
    boundRow(`memory above idle: ${READERS} downloads of 4 kB a second`, growth, "MB", 128),
    {
      what: `of these still served after ${SECONDS} s`,
      ...{ ours: String(served), other: "", ratio: served / READERS },
      ...{ bound: "all", ok: served === READERS },
    },
    others,
    speedRow("a whole download meanwhile, against one before", { ours, other, ratio: ours / other }, 0.7),
  ];
}

/** Takes a few bytes, then nothing for a while, and so on. */
function readSlowly(port: number, path: string): Socket {
  const buffer = Buffer.allocUnsafeSlow(TAKEN_BYTES);
  const socket = connect({ port, host: "127.0.0.1", onread: { buffer, callback: () => false } });
  const taking = setInterval(() => socket.resume(), EVERY_MS);
  socket.once("close", () => clearInterval(taking));
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  return socket;
}

/** Millions of bytes a second. */
async function fastSpeed(port: number, path: string): Promise<number> {
  const speeds: number[] = [];
  for (let download = 0; download < FAST_DOWNLOADS; download += 1) {
    const load = { port, path, connections: 1, bytes: FILE_BYTES, isPart: false };
    speeds.push(await downloadSpeed(load));
  }
  return median(speeds);
}

if (import.meta.main) console.table(await run());
