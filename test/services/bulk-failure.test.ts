/** A bulk request that fails as a whole, such as by a full disk. */
import { expect, it } from "vitest";
import { createSystemAuthor } from "../../src/repositories/change.ts";
import type { ChangeCatalogue } from "../../src/repositories/index.ts";
import { BulkUpsertService } from "../../src/services/books/bulk.service.ts";
import { startApp } from "../support/app.ts";

it("a failed bulk request has ended all its writes before it responds", async () => {
  const { container } = await startApp();
  const { reads, changeCatalogue, newId, clock } = container;
  let calls = 0;
  const firstFails: ChangeCatalogue = (by, work) =>
    calls++ === 0 ? Promise.reject(new Error("disk full")) : changeCatalogue(by, work);
  const bulk = new BulkUpsertService({ reads, change: firstFails, cloudAllowHosts: [], newId, clock });

  const items = ["One", "Two", "Three"].map((titleEn) => ({ titleEn }));
  await expect(bulk.upsert(createSystemAuthor("test"), items, { isDryRun: false })).rejects.toThrow(
    "disk full",
  );
  expect(await reads.books.countActive()).toBe(2);
});
