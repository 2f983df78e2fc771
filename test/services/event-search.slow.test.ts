/** The search of titles in the log of downloads, with as many titles as a large library has. */
import { expect, it } from "vitest";
import { AddressesQuery, EventTitlesQuery } from "../../src/repositories/exports/download-log.ts";
import { EventSearch } from "../../src/services/analytics/event-search.ts";
import { countTurns } from "../support/count-turns.ts";
import { createEventsDatabase } from "../support/events-database.ts";

const TITLES = 50_000;
const WORDS = Array.from({ length: 16 }, (_, word) => `word${10 + word}`).join(" ");

const ADD_TITLES = `
  with recursive n(i) as (select 1 union all select i + 1 from n where i < ${TITLES})
  insert into download_events (downloadedAt, isDownloadAll, booksCount, bookTitle, fileType, fileName, languageId,
    languageName, languageCode, deviceType, browserName, browserVersion, osName, osVersion, referrer, isBot)
  select 0, 0, 1, 'The Book of a Rather Long Title, with Its Subtitle, Volume ' || i, '', '', 1, '', '', '', '', '', '',
    '', '', 0 from n`;

it("lets the event loop run while many titles are compared with many words", async () => {
  const { writer, db } = await createEventsDatabase();
  writer.exec(ADD_TITLES);
  const search = new EventSearch({ titles: new EventTitlesQuery(db), addresses: new AddressesQuery(db) });
  await search.of("read all titles first");
  let words: Awaited<ReturnType<typeof search.of>>;
  const turns = await countTurns(async () => {
    words = await search.of(WORDS);
  });
  expect(words?.map(({ titles }) => titles.length)).toEqual(Array.from({ length: 16 }, () => 0));
  expect(turns).toBeGreaterThan(1);
  expect((await search.of("volume 49999"))?.[1]?.titles).toHaveLength(1);
});
