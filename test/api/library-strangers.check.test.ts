/** Addresses that a stranger makes up: nothing is kept for them, and what is kept for others stays. */
import { expect, it } from "vitest";
import { startApp } from "../support/app.ts";
import { pageOf } from "../support/library-pages.ts";

const ADDRESSES = 40;

it("are composed for their request only, or are the page that is kept already", async () => {
  const app = await startApp();
  const { book } = await app.make.published("The Deep Well", "es");
  const known = ["/library/es", `/library/es/books/${book.slug}`, "/library"];
  const tags = new Map<string, string | undefined>();
  for (const path of known) tags.set(path, (await pageOf(app, path)).headers.etag);
  const madeUp = (number: number) => [
    `/library/es?page=${number + 2}`,
    `/library/es?page=x${number}`,
    `/library/x${number}`,
    `/library/es/books/nothing-${number}`,
    `/library/es?utm_source=s${number}`,
    `/library/es/books/${book.slug}?utm_campaign=c${number}`,
    `/library/es/all/ready?token=t${number}`,
    `/somewhere/${number}`,
  ];
  for (let number = 0; number < ADDRESSES; number += 1) {
    for (const path of madeUp(number)) {
      const { headers } = await pageOf(app, path);
      expect([path, headers.etag]).toEqual([path, undefined]);
      expect(headers["cache-control"], path).toContain("no-store");
    }
    // Searches are validated as those of the API, and composed each time.
    const search = `/library/es?q=word${number}`;
    const { etag = "" } = (await pageOf(app, search)).headers;
    expect((await pageOf(app, search, { "If-None-Match": etag })).status).toBe(304);
    // A parameter that a page doesn't know is no part of its address.
    for (const path of known)
      expect((await pageOf(app, `${path}?x=${number}&fbclid=y`)).headers.etag).toBe(tags.get(path));
    const hosted = await pageOf(app, "/library/es", {
      Host: `h${number}.example.org`,
      "Accept-Language": "de",
    });
    expect(hosted.headers.etag).toBe(tags.get("/library/es"));
  }
  const searched = app.logged.filter(
    ({ route, kept, status }) => route === "/library/{code}" && kept && status === 304,
  );
  expect(searched).toEqual([]);
  const before = app.logged.filter(({ kept }) => kept).length;
  for (const path of known) expect((await pageOf(app, path)).headers.etag).toBe(tags.get(path));
  await expect.poll(() => app.logged.filter(({ kept }) => kept).length).toBeGreaterThan(before + 1);
});
