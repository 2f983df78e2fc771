/** New downloads beside many, against the same into an empty table with the same indexes and contacts. */
import { dirname, join } from "node:path";
import { openReader, openWriter } from "../../src/db/connection.ts";
import { openDatabase } from "../../src/db/database.ts";
import { GroupCommit } from "../../src/db/group-commit.ts";
import { Checkpoints } from "../../src/db/workers/checkpoints.ts";
import { recordRepositories } from "../../src/repositories/index.ts";
import { contactChange } from "../../src/services/contacts/consent-ledger.ts";
import { type EventWorld, emailOf, eventInserter, eventsOf, generateEvents } from "./event-generator.ts";
import { type BenchRow, compare, countRow } from "./row.ts";

const ROUNDS = 5;
const COMMITS = 200;
/** As many as a busy server puts into one commit. */
const EVENTS_A_COMMIT = 50;

/** @param large the file of a database with the world in it */
export async function insertRateRows(large: string, folder: string, world: EventWorld): Promise<BenchRow[]> {
  const rowOf = async (what: string, open: (file: string) => Promise<Writes>) => {
    const empty = join(folder, `${what}.sqlite`);
    await generateEvents(empty, { ...world, events: 0 });
    const [full, other] = [await open(large), await open(empty)];
    const measured = await compare(
      ROUNDS,
      () => perSecond(large, full),
      () => perSecond(empty, other),
    );
    await full.close();
    await other.close();
    return countRow(`${what} beside ${world.events}, against an empty table`, measured, 0.7);
  };
  return [
    await rowOf("events inserted", (file) => rowsOf(file, world)),
    await rowOf("requests put on record", (file) => requestsOf(file, world)),
  ];
}

interface Writes {
  /** Writes `EVENTS_A_COMMIT` at once; each time others. */
  commit(): Promise<void>;
  close(): Promise<void>;
}

async function perSecond(file: string, { commit }: Writes): Promise<number> {
  bringIn(file);
  const start = performance.now();
  for (let count = 0; count < COMMITS; count += 1) await commit();
  return (COMMITS * EVENTS_A_COMMIT) / ((performance.now() - start) / 1000);
}

/** Into the system's memory, where a machine at work has it: that in which each event goes to another page. */
function bringIn(file: string): void {
  const reader = openReader(file);
  reader.prepare("select count(contactId) from download_events").get();
  reader.prepare("select count(lastDownloadAt) from contacts").get();
  reader.close();
}

/** Rows alone, in groups and with checkpoints in their own thread, as the service writes. Goes on where the world ends. */
async function rowsOf(file: string, world: EventWorld): Promise<Writes> {
  const connection = openWriter(file);
  const report = (error: unknown) => {
    throw error;
  };
  const checkpoints = new Checkpoints(connection, { file, report });
  const group = new GroupCommit(connection, checkpoints);
  const add = eventInserter(connection);
  const next = eventsAfter(world);
  const addSome = async () => {
    for (let count = 0; count < EVENTS_A_COMMIT; count += 1) add(next().row);
  };
  return {
    commit: () => group.submit(addSome),
    async close() {
      await group.close();
      await checkpoints.close();
      connection.close();
    },
  };
}

/** What the service writes for a request of a known reader: the contact is found and changed, and the event added. */
async function requestsOf(file: string, world: EventWorld): Promise<Writes> {
  const database = await openDatabase(file, dirname(file));
  const { contacts, events } = recordRepositories(database.writer);
  const next = eventsAfter(world);
  const addOne = async () => {
    const { contact, at, row } = next();
    const known = await contacts.findByEmail(emailOf(contact));
    if (!known) throw new Error(`There is no contact ${contact}`);
    await contacts.update(known.id, contactChange(known, known, at));
    await events.insert(row);
  };
  return {
    async commit() {
      await Promise.all(Array.from({ length: EVENTS_A_COMMIT }, () => database.commit(addOne)));
    },
    close: () => database.close(),
  };
}

function eventsAfter(world: EventWorld) {
  const eventAt = eventsOf({ ...world, seed: world.seed + 1 });
  let event = world.events;
  return () => eventAt(event++);
}
