/** Five million downloads: every report over HTTP, and the memory that it takes. */
import { join } from "node:path";
import { bookIdOf, countryOf, EVENTS, generateEvents } from "../lib/event-generator.ts";
import { temporaryFolder } from "../lib/temporary-folder.ts";
import { logIn, warmUp } from "./administrator.ts";
import { EVENTS_PROCESS, eventsFacts } from "./events-process.ts";
import { startMeasured } from "./measured-process.ts";
import { type BenchRow, boundRow, computeMedian } from "./row.ts";

const ROUNDS = 7;
const MEGABYTE = 1e6;
const MAX_REPORT_MS = 100;
const DAY_BEFORE_ALL = Temporal.PlainDate.from("2022-12-31");

const REPORTS = [
  "by-date",
  "by-date?granularity=month",
  "by-date?granularity=week&timezone=America/St_Johns",
  "by-book",
  "by-country",
  "by-language",
  "by-device",
  "by-campaign",
  "by-book?limit=10",
];
const WHOLE_DAYS = "startDate=2024-03-01&endDate=2024-09-15";
const FILTERS = [
  ["without a filter", ""],
  ["of whole days", WHOLE_DAYS],
  ["of a language", "languageId=3"],
  ["of a book", `bookId=${bookIdOf(5)}`],
  ["of a language in whole days", `languageId=1&${WHOLE_DAYS}`],
  ["of a country's phones", `countryCode=${countryOf(3)}&deviceType=mobile`],
  ["of a country in whole days, with bots", `countryCode=${countryOf(0)}&includeBots=true&${WHOLE_DAYS}`],
] as const;

export async function run(): Promise<BenchRow[]> {
  using folder = temporaryFolder("bench-analytics");
  await generateEvents(join(folder.path, "database.sqlite"));
  return await reportRows([folder.path]);
}

/** @param args of the measured process */
export async function reportRows(args: readonly string[]): Promise<BenchRow[]> {
  const service = await start(args);
  try {
    return [...(await measureFirstReport(service)), ...(await measureLaterReports(service))];
  } finally {
    await service.measured.stop();
  }
}

type Service = Awaited<ReturnType<typeof start>>;

async function start(args: readonly string[]) {
  const measured = await startMeasured(EVENTS_PROCESS, args, eventsFacts);
  const { port } = measured.facts;
  const cookie = await logIn(port);
  const ask = async (report: string): Promise<number> => {
    const begin = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}/api/admin/analytics/${report}`, {
      headers: { cookie },
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${report}: ${response.status} ${text}`);
    return performance.now() - begin;
  };
  await warmUp(port, cookie);
  return { measured, ask };
}

async function measureFirstReport({ measured, ask }: Service): Promise<BenchRow[]> {
  const before = await measured.usage();
  const seconds = (await ask("by-device")) / 1000;
  const { peak } = await measured.usage();
  return [
    boundRow(`${EVENTS} events read for the first time`, seconds, "s", 60),
    boundRow("memory that this takes", (peak - before.now) / MEGABYTE, "MB", 200),
  ];
}

async function measureLaterReports({ measured, ask }: Service): Promise<BenchRow[]> {
  // The first round warms up and doesn't count.
  for (const report of REPORTS) await measureNewReport(ask, report);
  const before = await measured.usage();
  const rows = [
    await findSlowestRow("new reports without a filter", REPORTS, (report) => measureNewReport(ask, report)),
  ];
  for (const [what, filter] of FILTERS) {
    // By-book has no filter of a book.
    const reports = REPORTS.filter((report) => report !== "by-book" || !filter.startsWith("bookId"));
    const filtered = reports.map((report) => withQuery(report, filter));
    rows.push(
      await findSlowestRow(`repeated reports ${what}`, filtered, (report) =>
        measureRepeatedReport(ask, report),
      ),
    );
  }
  const summary = await measureRepeatedReport(ask, "summary");
  rows.push(boundRow("the repeated summary, which is eleven counts", summary, "ms", 300));
  const { peak, p99HoldMs } = await measured.usage();
  return [
    ...rows,
    boundRow("memory for all reports", (peak - before.now) / MEGABYTE, "MB", 200),
    boundRow("event loop held, p99", p99HoldMs, "ms", 5),
  ];
}

type Ask = Service["ask"];

/** The median in milliseconds of a report that has been asked for before. */
async function measureRepeatedReport(ask: Ask, report: string): Promise<number> {
  await ask(report);
  return computeMedian(await measureInTurn(ROUNDS, () => ask(report)));
}

/** Every new report begins on another day before all events: the same counts, of which none has been kept. */
let daysAsked = 0;

/** The median in milliseconds of a report that is asked for the first time. */
async function measureNewReport(ask: Ask, report: string): Promise<number> {
  const anew = () => {
    daysAsked += 1;
    const startDate = DAY_BEFORE_ALL.subtract({ days: daysAsked });
    return ask(withQuery(report, `startDate=${startDate}`));
  };
  return computeMedian(await measureInTurn(ROUNDS, anew));
}

async function findSlowestRow(
  what: string,
  reports: readonly string[],
  measure: (report: string) => Promise<number>,
): Promise<BenchRow> {
  let slowest = { report: "", milliseconds: 0 };
  for (const report of reports) {
    const milliseconds = await measure(report);
    if (milliseconds > slowest.milliseconds) slowest = { report, milliseconds };
  }
  return boundRow(`${what}, the slowest: ${slowest.report}`, slowest.milliseconds, "ms", MAX_REPORT_MS);
}

const withQuery = (report: string, query: string): string =>
  [report, query].filter(Boolean).join(report.includes("?") ? "&" : "?");

async function measureInTurn(times: number, measure: () => Promise<number>): Promise<number[]> {
  const results: number[] = [];
  for (let round = 0; round < times; round += 1) results.push(await measure());
  return results;
}
