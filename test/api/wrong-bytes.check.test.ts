/** Stored bytes that aren't those that were stored: a failing disk, or a store that returns something else. */
import { describe, expect, it } from "vitest";
import { readZip } from "../../tools/lib/read-zip.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { eventually } from "../support/eventually.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { linkTo, linkToAll } from "../support/reader.ts";
import { createTxt, hashBytes, replaceStored } from "../support/stored-files.ts";

const TEXT = createTxt("0123456789abcdef".repeat(10_000));
const SECONDS = 1000;

async function scene() {
  const app = await startApp();
  await app.make.published("A Tree", "en", "tree");
  const { book, file } = await app.make.published("The Well", "en", TEXT.toString());
  const replace = (bytes: Buffer) => replaceStored(app.dataDir, hashBytes(TEXT), bytes);
  return { app, api: app.api, book, file, replace };
}

/** What is in the log about wrong bytes. */
const reports = ({ logged }: TestApp) =>
  logged.filter(({ level, msg }) => level === 50 && /bytes of a file are wrong/.test(String(msg)));

/** What a disk or a store can make of the stored bytes. */
const DAMAGES = {
  "one changed bit": Buffer.concat([Buffer.from([(TEXT[0] ?? 0) ^ 1]), TEXT.subarray(1)]),
  "zeros of the same size": Buffer.alloc(TEXT.length),
  "fewer bytes": TEXT.subarray(0, 100_000),
  "more bytes": Buffer.concat([TEXT, Buffer.alloc(5_000_000)]),
};

describe("a ZIP of wrong bytes", () => {
  it.each(Object.entries(DAMAGES))("isn't built or kept: %s", async (_, damaged) => {
    const { app, api, book, file, replace } = await scene();
    await replace(damaged);
    const link = await linkToAll(api, "en");
    for (let count = 0; count < 3; count++) {
      const response = await api.get(link);
      expectProblem(response, 503, { code: "archive_unavailable" });
      expect(response.headers["retry-after"]).toBe("60");
    }
    expect(app.container.zipCache.kept).toEqual({ files: 0, bytes: 0 });
    expect(reports(app)).toEqual([expect.objectContaining({ fileId: file.id, bookId: book.id })]);
    await replace(TEXT);
    app.clock.advance(59 * SECONDS);
    expectProblem(await api.get(link), 503, { code: "archive_unavailable" });
    app.clock.advance(SECONDS);
    const entries = await readZip((await api.get(link)).body);
    expect(entries.map(({ bytes }) => bytes.toString())).toEqual(["tree", TEXT.toString()]);
    expect(reports(app)).toHaveLength(1);
  });

  it("doesn't affect the ZIP of another language, or one that was built earlier", async () => {
    const { app, api, replace } = await scene();
    const link = await linkToAll(api, "en");
    const whole = await api.get(link);
    await app.make.published("Der Baum", "de", "Baum");
    await replace(Buffer.alloc(TEXT.length));
    expect((await api.get(await linkToAll(api, "de"))).status).toBe(200);
    await eventually(() => expect(app.container.zipCache.kept.files).toBe(2));
    expect((await api.get(link)).body.equals(whole.body)).toBe(true);
  });
});

it("an upload of the right bytes replaces wrong bytes of the same size", async () => {
  const { app, api, replace } = await scene();
  await replace(Buffer.alloc(TEXT.length));
  const link = await linkTo(api, { slug: "the-well", languageCode: "en" });
  // Those of a store aren't sent at all.
  const { body } = await api.get(link);
  expect(Buffer.isBuffer(body) && body.equals(TEXT)).toBe(false);
  await app.make.published("Another book", "en", TEXT.toString());
  expect((await api.get(link)).body.equals(TEXT)).toBe(true);
});
