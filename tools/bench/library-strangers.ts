/** Addresses that a stranger makes up: what the library keeps and spends for them, against the API's. */
import { type MeasuredProcess, startMeasured } from "./measured-process.ts";
import { readProcessorMs } from "./processor-time.ts";
import { type BenchRow, boundRow, compare } from "./row.ts";
import { SERVICE_PROCESS, serviceFacts } from "./service-process.ts";

const BOOKS = 1000;
const ADDRESSES = 500;
const ROUNDS = 3;
const MOST_KEPT_MB = 5;

type Address = (number: number) => string;

/** What is asked of the library, and the same of the API. */
const KINDS: readonly (readonly [what: string, library: Address, api: Address])[] = [
  [
    "searches that find nothing",
    (n) => `/library/es?q=zq${n}x`,
    (n) => `/api/books?languageCode=es&limit=24&search=zq${n}x`,
  ],
  [
    "searches that find a book",
    (n) => `/library/es?q=number+${n}`,
    (n) => `/api/books?languageCode=es&limit=24&search=number+${n}`,
  ],
  [
    "pages past the end",
    (n) => `/library/es?page=${n + 1000}`,
    (n) => `/api/books?languageCode=es&limit=24&page=${n + 1000}`,
  ],
  ["languages that don't exist", (n) => `/library/x${n}`, (n) => `/api/books?languageCode=x${n}&limit=24`],
  [
    "campaigns",
    (n) => `/library/es?utm_source=s${n}`,
    (n) => `/api/books?languageCode=es&limit=24&utm_source=s${n}`,
  ],
];

export async function measureStrangers(): Promise<BenchRow[]> {
  const service = await startMeasured(SERVICE_PROCESS, ["service", "1000", `${BOOKS}`], serviceFacts);
  const base = `http://127.0.0.1:${service.facts.port}`;
  try {
    const spent: { what: string; ours: number; other: number }[] = [];
    for (const [what, library, api] of KINDS) {
      const { ours, other } = await compare(
        ROUNDS,
        () => spend(service.pid, () => askAll(base, library)),
        () => spend(service.pid, () => askAll(base, api)),
      );
      spent.push({ what: `${what} ${ours.toFixed(2)}, ${other.toFixed(2)}`, ours, other });
    }
    const sum = (name: "ours" | "other") => spent.reduce((total, one) => total + one[name], 0);
    const kinds = spent.map(({ what }) => what).join("; ");
    return [
      boundRow(
        `processor time of made-up addresses, ms of the library and the API: ${kinds}`,
        sum("ours"),
        "ms",
        sum("other"),
      ),
      await measureKept(service, base),
    ];
  } finally {
    await service.stop();
  }
}

/** Each round has other addresses, so that nothing is known from the one before. */
let asked = 0;

async function askAll(base: string, address: Address): Promise<void> {
  const first = asked;
  asked += ADDRESSES;
  for (let number = first; number < asked; number += 1)
    await (await fetch(base + address(number))).arrayBuffer();
}

/** Processor time in ms for each address, as the system counts it: `usage` has the process look at itself all the time. */
async function spend(pid: number, ask: () => Promise<void>): Promise<number> {
  const before = readProcessorMs(pid);
  await ask();
  return (readProcessorMs(pid) - before) / ADDRESSES;
}

/** Resident memory that the library's addresses add once the process has seen each kind. */
async function measureKept(service: MeasuredProcess<unknown>, base: string): Promise<BenchRow> {
  const { now: before } = await service.usage();
  for (const [, library] of KINDS) await askAll(base, library);
  const { now } = await service.usage();
  const what = `kept for ${KINDS.length * ADDRESSES} made-up addresses`;
  return boundRow(what, Math.max(0, now - before) / 1e6, "MB", MOST_KEPT_MB);
}
