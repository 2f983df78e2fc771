/** The memory that the server takes for a file of 2 GiB: up, down and as a ZIP. `BENCH_BYTES` makes it smaller. */
import { Administrator, askForLink, logIn, warmUp } from "./administrator.ts";
import { downloadSpeed } from "./download-load.ts";
import { forgetPeak, memoryOf, type RealServer, withRealServer } from "./real-server.ts";
import { type BenchRow, boundRow } from "./row.ts";

const BYTES = Number(process.env.BENCH_BYTES ?? 2 * 1024 ** 3);
const MEGABYTE = 1e6;

export const run = (): Promise<BenchRow[]> =>
  withRealServer({ MAX_UPLOAD_BYTES: String(BYTES) }, transferAll);

async function transferAll(server: RealServer): Promise<BenchRow[]> {
  const { port } = server;
  const admin = await Administrator.of(port);
  const { id: bookId, slug, fileId } = await admin.addLargeBook("en", 1000);
  await warmUp(port, await logIn(port));
  const idle = memoryOf(server).now;
  const rowFor = async (what: string, work: () => Promise<unknown>): Promise<BenchRow> => {
    forgetPeak(server);
    await work();
    const growth = (memoryOf(server).peak - idle) / MEGABYTE;
    return boundRow(`memory above idle: ${BYTES} bytes ${what}`, growth, "MB", 64);
  };
  return [
    await rowFor("up, in a form", () => admin.upload(bookId, "en", BYTES)),
    await rowFor("up, as they are", () => admin.replace(bookId, fileId, BYTES)),
    await rowFor("down", async () => downloadWhole(port, await askForLink(port, "en", slug))),
    await rowFor("as a ZIP", async () => downloadWhole(port, await askForLink(port, "en"))),
  ];
}

/** Throws when a byte is missing. */
async function downloadWhole(port: number, path: string): Promise<void> {
  // A HEAD doesn't build a ZIP, whose length is then unknown.
  const first = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { Range: "bytes=0-0" } });
  await first.arrayBuffer();
  const bytes = Number(/^bytes 0-0\/(\d+)$/.exec(first.headers.get("content-range") ?? "")?.[1]);
  await downloadSpeed({ port, path, connections: 1, bytes, isPart: false });
}

if (import.meta.main) console.table(await run());
