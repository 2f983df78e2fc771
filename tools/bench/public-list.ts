/** The published list of 50 books through all middlewares, against a bare Express app that sends the same bytes. */
import { responsesPerSecond } from "./http-load.ts";
import { startMeasured } from "./measured-process.ts";
import { type BenchRow, compare, countRow } from "./row.ts";
import { SERVICE_PROCESS, serviceFacts } from "./service-process.ts";

const PATH = "/api/books?languageCode=es";
export const LIST_LOAD = { path: PATH, connections: 16, seconds: 3 };
const ROUNDS = 5;
const LEAST = 0.3;

export async function run(): Promise<BenchRow[]> {
  const ours = await startMeasured(SERVICE_PROCESS, ["service", "1000"], serviceFacts);
  const url = `http://127.0.0.1:${ours.facts.port}${PATH}`;
  const bare = await startMeasured(SERVICE_PROCESS, ["bare", url], serviceFacts);
  try {
    const ports = { ours: ours.facts.port, bare: bare.facts.port };
    const bytes = await (await fetch(url)).arrayBuffer();
    return [
      await compareResponses(`GET ${PATH} (50 books, ${bytes.byteLength} bytes)`, ports, { status: 200 }),
      await compareResponses("304 of the same", ports, { status: 304 }),
    ];
  } finally {
    await Promise.all([ours.stop(), bare.stop()]);
  }
}

async function compareResponses(
  what: string,
  ports: { ours: number; bare: number },
  { status }: { status: number },
): Promise<BenchRow> {
  const measure = async (port: number) => {
    const headers = status === 304 ? { "If-None-Match": await etagOf(port) } : {};
    return responsesPerSecond({ ...LIST_LOAD, port, status, headers });
  };
  const measured = await compare(
    ROUNDS,
    () => measure(ports.ours),
    () => measure(ports.bare),
  );
  return countRow(what, measured, LEAST);
}

async function etagOf(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${PATH}`);
  await response.arrayBuffer();
  return response.headers.get("etag") ?? "";
}

if (import.meta.main) console.table(await run());
