/** Inserts of events into a large table, against the same into an empty one with the same indexes and contacts. */
import { join } from "node:path";
import { Checkpoints } from "../src/db/checkpoints.ts";
import { openWriter } from "../src/db/connection.ts";
import { GroupCommit } from "../src/db/group-commit.ts";
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
  const [full, other] = [inserts(large, world), inserts(empty, world)];
  // The pages to which the next events of each language, country and city go are in memory after that.
  await full.run();
  await other.run();
  const measured = await compare(ROUNDS, full.run, other.run);
  await full.close();
  await other.close();
  return countRow(`events inserted beside ${world.events}, against an empty table`, measured, 0.7);
}

/** As the service writes: in groups, with checkpoints in their own thread. Goes on where the world ends. */
function inserts(file: string, world: EventWorld) {
  const connection = openWriter(file);
  // In these each event goes to another page.
  const scattered = [
    connection.prepare("select count(contactId) from download_events"),
    connection.prepare("select count(*) from contacts where id > ''"),
  ];
  const tell = (fault: unknown) => {
    throw fault;
  };
  const checkpoints = new Checkpoints(connection, { file, tell });
  const group = new GroupCommit(connection, checkpoints);
  const add = eventInserter(connection);
  const next = eventsOf({ ...world, seed: world.seed + 1 });
  let event = world.events;
  const addSome = async () => {
    for (let count = 0; count < EVENTS_A_COMMIT; count += 1) {
      add.run(next(event).row);
      event += 1;
    }
  };
  return {
    /** @returns how many a second; each time others */
    async run(): Promise<number> {
      // Brings them into the system's memory, where a machine at work has them; the other round took its time.
      for (const index of scattered) index.get();
      const start = performance.now();
      for (let count = 0; count < COMMITS; count += 1) await group.submit(addSome);
      return (COMMITS * EVENTS_A_COMMIT) / ((performance.now() - start) / 1000);
    },
    async close(): Promise<void> {
      await group.close();
      await checkpoints.close();
      connection.close();
    },
  };
}
