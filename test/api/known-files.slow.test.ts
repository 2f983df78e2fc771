/** Files of books that are examined for the plan of an import, which can take long. */
import { describe, expect, it } from "vitest";
import { RequestScope, runRequest } from "../../src/db/request-scope.ts";
import { startApp } from "../support/app.ts";
import { hashBytes } from "../support/stored-files.ts";

const MINUTE = 60_000;
const CODES = ["en", "es", "fr", "de", "it", "pt", "ar", "ru"];
const FILES = CODES.length;

async function start() {
  const app = await startApp();
  const book = await app.make.book("Well");
  for (const code of CODES) {
    await app.make.language(code);
    await app.make.textFile(book.id, code, code);
  }
  const hashes = CODES.map((code) => hashBytes(Buffer.from(code)));
  const { services, reads } = app.container;
  return {
    clock: app.clock,
    examine: () => services.examinations.examineStored(hashes),
    forget: () => services.examinations.forgetOld(),
    listExamined: () => reads.examinedFiles.listExamined(hashes),
  };
}

describe("the examination of many files of books", () => {
  it("ends when the client of its request has left, and the next one goes on from there", async () => {
    const { examine, listExamined } = await start();
    let asked = 0;
    const hasLeft = () => ++asked > FILES - 2;
    await expect(runRequest(new RequestScope(Number.POSITIVE_INFINITY, hasLeft), examine)).rejects.toThrow(
      "The client has left",
    );
    const examined = await listExamined();
    expect(examined.length).toBeGreaterThan(0);
    expect(examined.length).toBeLessThan(FILES);
    await examine();
    expect(await listExamined()).toHaveLength(FILES);
  });

  it("keeps what it has found until it ends, although it takes longer than an hour", async () => {
    const { examine, forget, listExamined, clock } = await start();
    const begun = clock.now();
    const letTimePass = () => {
      clock.advance(5 * MINUTE);
      return false;
    };
    await runRequest(new RequestScope(Number.POSITIVE_INFINITY, letTimePass), examine);
    expect(clock.now() - begun).toBeGreaterThan(75 * MINUTE);
    await forget();
    expect(await listExamined()).toHaveLength(FILES);
  });

  it("keeps for another hour what an earlier one has found", async () => {
    const { examine, forget, listExamined, clock } = await start();
    for (let round = 0; round < 3; round += 1) {
      await examine();
      clock.advance(50 * MINUTE);
      await forget();
      expect(await listExamined()).toHaveLength(FILES);
    }
    clock.advance(20 * MINUTE);
    await forget();
    expect(await listExamined()).toEqual([]);
  });
});
