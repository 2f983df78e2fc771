/** `outbox [--release | --drop]`: lists what waits to be delivered, and decides on what a restore or a move has held. */
import { z } from "zod";
import { readConfig } from "../config.ts";
import type { Container } from "../container.ts";
import { assertDatabase } from "../db/open-database.ts";
import { isoTime } from "../lib/time.ts";
import { type Call, EX_USAGE } from "./command.ts";
import { withContainer } from "./with-container.ts";

const outboxOptions = z.object({ release: z.boolean().default(false), drop: z.boolean().default(false) });

/** Also works while a server is running. */
export async function outbox({ options }: Call): Promise<number> {
  const { release, drop } = outboxOptions.parse(options);
  if (release && drop) {
    process.stderr.write("Use either --release or --drop.\n");
    return EX_USAGE;
  }
  const config = readConfig();
  await assertDatabase(config);
  if (release) return withContainer(config, releaseHeld);
  return withContainer(config, drop ? dropHeld : list);
}

async function list({ reads }: Container): Promise<number> {
  const targets = await reads.deliveries.listTargets();
  for (const { name, url, waiting, held, since } of targets) {
    const parts = [`${waiting} waiting`, ...(held > 0 ? [`${held} held`] : [])];
    process.stdout.write(
      `${(name || url) ?? "Letters"}: ${parts.join(", ")}, the oldest since ${isoTime(since)}\n`,
    );
  }
  if (targets.length === 0) process.stdout.write("Nothing waits to be delivered.\n");
  if (targets.some(({ held }) => held > 0))
    process.stdout.write(
      "What is held was in the database before a restore, a move or a new AUTH_SECRET, and may have been delivered since. To deliver it: bookdist outbox --release. To leave it: bookdist outbox --drop.\n",
    );
  return 0;
}

async function releaseHeld({ writeRecords: write, clock }: Container): Promise<number> {
  const rows = await write(({ outbox: held }) => held.release(clock.now()));
  process.stdout.write(`Released ${rows} held deliveries. A running server sends them.\n`);
  return 0;
}

async function dropHeld({ writeRecords: write, clock }: Container): Promise<number> {
  const rows = await write(({ outbox: held }) => held.drop(clock.now()));
  process.stdout.write(`Dropped ${rows} held deliveries.\n`);
  return 0;
}
