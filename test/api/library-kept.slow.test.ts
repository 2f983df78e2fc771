/** Random walks through the catalogue and the settings of the library: after each change, every kept page is as a new one. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { ArchivePlans } from "../../src/services/downloads/archive-plan.ts";
import { createLibraryServices } from "../../src/services/library/create-library.ts";
import { CatalogueVersions } from "../../src/services/shared/catalogue-versions.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { pagesOf } from "../support/library-state.ts";
import { bookSteps } from "../support/model/book-steps.ts";
import { CatalogueModel } from "../support/model/catalogue-model.ts";
import { dateSteps } from "../support/model/date-steps.ts";
import { librarySteps } from "../support/model/library-steps.ts";
import { placeSteps } from "../support/model/place-steps.ts";
import { stepsOf } from "../support/model/steps.ts";

/** More of them, and other ones: `WALKS=100 WALK_SEED=2`. */
const WALKS = Number(process.env.WALKS ?? 1);
const SEED = Number(process.env.WALK_SEED ?? 1);
const STEPS = 100;

/** Services that have kept nothing. */
function freshLibrary({ container }: TestApp) {
  const { config, pageLanguages, clock, reads, catalogue, services } = container;
  const versions = new CatalogueVersions({ ...reads, clock });
  const plans = new ArchivePlans({ catalogue, versions });
  const facts = { config, pageLanguages, clock, reads, catalogue };
  return createLibraryServices({ ...facts, versions, plans, ...services });
}

// A channel that the library shows can't be removed.
const { removeChannel: _, ...places } = placeSteps;
const steps = fc.oneof(...stepsOf({ ...bookSteps, ...dateSteps, ...places, ...librarySteps }));
const walks = fc.array(steps, { minLength: STEPS, maxLength: STEPS });

it(
  "keeps exactly the pages that are composed anew, after any sequence of changes",
  async () => {
    await fc.assert(
      fc.asyncProperty(walks, async (walk) => {
        const app = await startApp({ PUBLIC_BASE_URL: "https://books.example.org" });
        const service = { admin: await app.admin(), api: app.api, clock: app.clock };
        const model = new CatalogueModel(app.clock.now());
        const { services } = app.container;
        let found = 0;
        for (const step of walk) {
          if (!step.check(model)) continue;
          await step.run(model, service);
          const kept = await pagesOf(services, model);
          expect(kept, `after ${step}`).toEqual(await pagesOf(freshLibrary(app), model));
          found += Object.values(kept).filter((page) => page.startsWith("200 ")).length;
        }
        // Otherwise the walk would have seen nothing but empty languages.
        expect(found).toBeGreaterThan(300);
      }),
      { numRuns: WALKS, seed: SEED, endOnFailure: true },
    );
  },
  120_000 + WALKS * 60_000,
);
