/**
 * Processor time a request of this version against that of another checkout, in alternating rounds:
 * `BENCH_OTHER=/path/to/other npm run bench -- versions`. The other checkout needs its own node_modules.
 */
import { join, resolve } from "node:path";
import { SERVER } from "../lib/server-process.ts";
import { Administrator, askForLink, logIn, warmUp } from "./administrator.ts";
import { downloadSpeed } from "./download-load.ts";
import { measureResponsesPerSecond } from "./http-load.ts";
import { readProcessorMs } from "./processor-time.ts";
import { type RealServer, withRealServer } from "./real-server.ts";
import { type BenchRow, type Comparison, compare } from "./row.ts";
import { SUBMIT_LOAD } from "./submits.ts";

const ROUNDS = 7;
/** How much more processor time a request may take than in the other version. */
const MOST = 1.1;
const BOOKS = 50;
const LOAD = { connections: 16, seconds: 3 };
const LARGE_BYTES = 20_000_000;
const LARGE_AT_ONCE = 4;
const DOWNLOADS = 10;
const REPORTS = 40;
const ZIPS = 5;

/** A server with the same content as the other one. */
interface Scene {
  server: RealServer;
  cookie: string;
  admin: Administrator;
  largeBookId: string;
  /** The paths of a link to the large file and to the ZIP of its language. */
  link: string;
  zipLink: string;
}

/** What is measured. @returns the number of requests */
type Load = (scene: Scene) => Promise<number>;

const LOADS: Readonly<Record<string, Load>> = {
  "list of 50": ({ server }) => countResponses(server, { path: "/api/books?languageCode=es", status: 200 }),
  form: ({ server }) => countResponses(server, SUBMIT_LOAD),
  "report of a new range": askForReports,
  "file of 20 MB": (scene) => downloadOften(scene, scene.link),
  "kept ZIP of 20 MB": (scene) => downloadOften(scene, scene.zipLink),
  "build of a ZIP of 20 MB": buildZips,
};

export async function run(): Promise<BenchRow[]> {
  const { BENCH_OTHER: other } = process.env;
  if (other === undefined) {
    console.error("skipped: BENCH_OTHER doesn't name the folder of another checkout");
    return [];
  }
  return withScene(SERVER, (ours) =>
    withScene(join(resolve(other), "src/server.ts"), async (theirs) => {
      const rows: BenchRow[] = [];
      for (const [what, load] of Object.entries(LOADS)) {
        const measured = await compare(
          ROUNDS,
          () => measureProcessorTime(ours, load),
          () => measureProcessorTime(theirs, load),
        );
        rows.push(timeRow(what, measured));
      }
      return rows;
    }),
  );
}

function timeRow(what: string, { ours, other, ratio }: Comparison): BenchRow {
  const microseconds = (ms: number) => `${Math.round(ms * 1000)} µs`;
  return {
    what: `processor time, ${what}`,
    ours: microseconds(ours),
    other: microseconds(other),
    ratio: Number(ratio.toFixed(3)),
    bound: `at most ${MOST}`,
    ok: ratio <= MOST,
  };
}

const withScene = <T>(script: string, work: (scene: Scene) => Promise<T>): Promise<T> =>
  withRealServer(
    { DOWNLOAD_TOKEN_TTL_SECONDS: "86400" },
    async (server) => work(await prepare(server)),
    script,
  );

async function prepare(server: RealServer): Promise<Scene> {
  const { port } = server;
  const admin = await Administrator.of(port);
  await admin.addLanguage("es");
  const books = Array.from({ length: BOOKS }, (_, index) => ({
    titleEn: `Book number ${index}`,
    slug: `book-number-${index}`,
    translations: [{ languageCode: "es", title: `Libro ${index}` }],
    files: [
      {
        languageCode: "es",
        fileType: "pdf",
        sourceType: "url",
        cloudUrl: `https://files.example.org/${index}.pdf`,
        fileName: `book-${index}.pdf`,
        fileSizeBytes: 1_000_000,
      },
    ],
  }));
  await admin.sendBulk(books);
  const { id: largeBookId, slug } = await admin.addLargeBook("sw", LARGE_BYTES);
  const cookie = await logIn(port);
  await warmUp(port, cookie);
  const link = await askForLink(port, "sw", slug);
  return { server, cookie, admin, largeBookId, link, zipLink: await askForLink(port, "sw") };
}

/** Milliseconds a request, of all threads of the server. */
async function measureProcessorTime(scene: Scene, load: Load): Promise<number> {
  const begin = readProcessorMs(scene.server.pid);
  const requests = await load(scene);
  return (readProcessorMs(scene.server.pid) - begin) / requests;
}

async function countResponses(
  { port }: RealServer,
  load: Omit<Parameters<typeof measureResponsesPerSecond>[0], "port" | "connections" | "seconds">,
): Promise<number> {
  return (await measureResponsesPerSecond({ ...load, ...LOAD, port })) * LOAD.seconds;
}

let minute = 0;

/** Each report has a range that no report before had. */
async function askForReports({ server, cookie }: Scene): Promise<number> {
  for (let number = 0; number < REPORTS; number += 1) {
    minute += 1;
    const startDate = new Date(minute * 60_000).toISOString();
    const path = `/api/admin/analytics/by-country?startDate=${encodeURIComponent(startDate)}`;
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { cookie } });
    if (!response.ok) throw new Error(`${path} returned ${response.status}`);
    await response.arrayBuffer();
  }
  return REPORTS;
}

/** Many, because Linux counts processor time in hundredths of a second. */
async function downloadOften(scene: Scene, path: string): Promise<number> {
  for (let number = 0; number < DOWNLOADS; number += 1) await downloadLarge(scene, path, LARGE_AT_ONCE);
  return DOWNLOADS * LARGE_AT_ONCE;
}

/** The first bytes: a ZIP is a little longer than its file. */
const downloadLarge = ({ server: { port } }: Scene, path: string, connections: number) =>
  downloadSpeed({ port, path, connections, bytes: LARGE_BYTES, isPart: true });

/** Another title is another name in the ZIP. */
async function buildZips(scene: Scene): Promise<number> {
  const { server, admin, largeBookId } = scene;
  for (let number = 0; number < ZIPS; number += 1) {
    await admin.setTitle(largeBookId, "sw", `Title ${crypto.randomUUID()}`);
    await downloadLarge(scene, await askForLink(server.port, "sw"), 1);
  }
  return ZIPS;
}
