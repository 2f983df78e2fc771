/** What each few letters cost while many wait. On SQLite, which orders what it finds by itself. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { openWriter } from "../../src/db/sqlite/connection.ts";
import { openSqlite } from "../../src/db/sqlite/database.ts";
import { LettersRepository } from "../../src/repositories/letters.repository.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const NOW = 1_800_000_000_000;
const HOUR = 3_600_000;
const REPEATS = 20;

/** Processor time of the statements that run after each commit, in milliseconds. */
async function measure(waiting: number): Promise<number> {
  const folder = createTempFolder();
  const file = join(folder, "letters.sqlite");
  const database = await openSqlite(file, folder);
  const raw = openWriter(file);
  raw.exec(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${waiting})
    insert into outbox (id, event, details, state, revision, createdAt, dueAt, dueWithin, attempts, sender)
    select n, 'letter.download', '{}', 'waiting', 0, ${NOW}, ${NOW}, 0, 0, 'sender' from numbers`);
  raw.close();
  const letters = new LettersRepository(database.read);
  const hour = { now: NOW, since: NOW - HOUR };
  const pick = async () => {
    expect(await letters.countLeft(hour)).toBe(0);
    return letters.listDue({ ...hour, perSender: 120, limit: 20 });
  };
  expect((await pick()).map(({ id }) => Number(id))).toEqual(
    Array.from({ length: 20 }, (_, index) => index + 1),
  );
  const begin = process.threadCpuUsage();
  for (let repeat = 0; repeat < REPEATS; repeat++) await pick();
  const { user, system } = process.threadCpuUsage(begin);
  await database.close();
  return (user + system) / 1000 / REPEATS;
}

it("finds the next letters among many as fast as among few", async () => {
  await measure(100);
  const [few, many] = [await measure(100), await measure(50_000)];
  // Read and sorted, they take fifty times as long: above 10 ms. A few can take none, where the system counts in ticks.
  expect(many).toBeLessThan(5 * few + 1);
});
