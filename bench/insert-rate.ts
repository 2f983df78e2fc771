/** Inserts of events into a large table, against the same into an empty one with the same indexes and contacts. */
import { join } from "node:path";
import { type Connection, openWriter } from "../src/db/connection.ts";
import { type EventWorld, eventInserter, eventsOf, generateEvents } from "./event-generator.ts";
import { type BenchRow, compare, countRow } from "./row.ts";

const ROUNDS = 5;
const COMMITS = 200;
/** As many as a busy server puts into one commit. */
const EVENTS_A_COMMIT = 50;

/** @param large the file of a database with the world in it */
export async function insertRateRow(large: string, folder: string, world: EventWorld): Promise<BenchRow> {
  const empty = join(folder, "empty.sqlite");
  await generateEvents(empty, { ...world, events: 0 });
  const full = openWriter(large);
  const other = openWriter(empty);
  const measured = await compare(ROUNDS, inserts(full, world), inserts(other, world));
  full.close();
  other.close();
  return countRow(`events inserted beside ${world.events}, against an empty table`, measured, 0.7);
}

/** Goes on where the world ends: each call inserts other events. @returns how many a second */
function inserts(connection: Connection, world: EventWorld): () => Promise<number> {
  const add = eventInserter(connection);
  const next = eventsOf({ ...world, seed: world.seed + 1 });
  let event = world.events;
  const commit = connection.transaction(() => {
    for (let count = 0; count < EVENTS_A_COMMIT; count += 1) {
      add.run(next(event).row);
      event += 1;
    }
  });
  return async () => {
    const start = performance.now();
    for (let count = 0; count < COMMITS; count += 1) commit.immediate();
    return (COMMITS * EVENTS_A_COMMIT) / ((performance.now() - start) / 1000);
  };
}
