/** An instance whose clock differs from the database's: by half a minute it is named, by an hour it leaves the balancer. */
import { globSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { doctorReport } from "../../../src/schemas/doctor.schemas.ts";
import { readiness } from "../../../src/schemas/system.schemas.ts";
import { formatSaid } from "../probes.ts";
import type { Context, Place } from "./fault.ts";

/** Of Debian's package `libfaketime`: it reads the difference from a file, each second. */
const [LIBRARY] = globSync("/usr/lib/*/faketime/libfaketimeMT.so.1");
const EXIT_CONFIGURATION = 78;
const HALF_MINUTE_SECONDS = 30;
const HOUR_SECONDS = 3600;
/** Clocks are compared each minute; the second minute is for a busy machine. */
const COMPARED_MS = 120_000;
/** A difference that was measured beside other work. */
const NEAR_SECONDS = 5;
const EVERY_MS = 500;

export const hasShiftedClocks = (): boolean => LIBRARY !== undefined;

/** Settings of a process whose clock is ahead by what the file says. */
const shiftedBy = (file: string): Readonly<Record<string, string>> => ({
  LD_PRELOAD: LIBRARY ?? "",
  FAKETIME_TIMESTAMP_FILE: file,
  FAKETIME_CACHE_DURATION: "1",
  FAKETIME_DONT_FAKE_MONOTONIC: "1",
});

const setAhead = (file: string, seconds: number): void => writeFileSync(file, `+${seconds}\n`);

/** The instance that is hit is started with its clock ahead; that of a further one, by an hour, prevents its start. */
export async function shiftClock(context: Context): Promise<void> {
  const { servers, hit } = context;
  const file = join(servers.folder, "clock");
  setAhead(file, HALF_MINUTE_SECONDS);
  context.repairs.defer(() => setAhead(file, 0));
  await servers.instances.restart(hit, shiftedBy(file));
  context.meanwhile(async () => [...(await followClock(context, file)), ...(await refuseStart(context))]);
}

/** What the readiness of the hit instance says. */
async function readReadiness({ servers: { instances }, hit, recorder }: Place) {
  const response = await recorder.callers(instances.base(hit)).reader.send("/api/health/ready");
  const { clockOffsetSeconds = 0 } =
    response.status === 200 ? readiness.parse(JSON.parse(response.bytes.toString())) : {};
  return { status: response.status, clockOffsetSeconds, said: formatSaid(response) };
}

async function followClock(context: Context, file: string): Promise<string[]> {
  const wrong: string[] = [];
  const { status, clockOffsetSeconds } = await readReadiness(context);
  context.report(
    `  readiness after a start 30 s ahead: ${status} with clockOffsetSeconds ${clockOffsetSeconds}`,
  );
  if (status !== 200 || Math.abs(clockOffsetSeconds - HALF_MINUTE_SECONDS) > NEAR_SECONDS)
    wrong.push(`the readiness doesn't name a clock that is 30 s ahead: ${status}, ${clockOffsetSeconds}`);
  setAhead(file, HOUR_SECONDS);
  const left = await waitUntil(context, "its clock is an hour ahead", (said) =>
    said.startsWith("503 clock_wrong"),
  );
  wrong.push(...left, ...(await findByDoctor(context)));
  setAhead(file, 0);
  wrong.push(...(await waitUntil(context, "its clock is right again", (said) => said.startsWith("200"))));
  return wrong;
}

async function waitUntil(
  context: Context,
  what: string,
  isReached: (said: string) => boolean,
): Promise<string[]> {
  const since = performance.now();
  for (; performance.now() - since < COMPARED_MS; await sleep(EVERY_MS)) {
    const { said } = await readReadiness(context);
    if (!isReached(said)) continue;
    context.report(`  readiness: ${said} ${((performance.now() - since) / 1000).toFixed(1)} s after ${what}`);
    return [];
  }
  return [`the readiness hasn't changed ${COMPARED_MS / 1000} s after ${what}`];
}

async function findByDoctor({ servers: { instances }, hit, recorder, report }: Context): Promise<string[]> {
  const { admin } = recorder.callers(instances.base(hit));
  const { findings } = await admin.get("/api/admin/doctor", doctorReport);
  const found = findings.find(({ check }) => check === "clock_differs");
  if (!found) return ["the doctor doesn't name a clock that is an hour ahead"];
  report(`  doctor: ${found.message}`);
  return [];
}

async function refuseStart({ servers: { instances, folder }, report }: Context): Promise<string[]> {
  const file = join(folder, "trial-clock");
  setAhead(file, HOUR_SECONDS);
  const server = await instances.startTrial({ variables: shiftedBy(file) });
  await Promise.race([server.ended, server.waitForLog("listening").catch(() => {})]);
  if (server.isRunning) server.kill("SIGKILL");
  const { code, errors } = await server.ended;
  report(`  start an hour ahead: exit code ${code}: ${errors.trim()}`);
  return code === EXIT_CONFIGURATION ? [] : [`a start an hour ahead ended with ${code}`];
}
