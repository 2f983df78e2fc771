/** Random walks through the catalogue: after any changes in any order, every list is that of a small model. */
import fc from "fast-check";
import { it } from "vitest";
import { startApp } from "./support/app.ts";
import { bookSteps } from "./support/model/book-steps.ts";
import { CatalogueModel } from "./support/model/catalogue-model.ts";
import { compareLists } from "./support/model/compare.ts";
import { dateSteps } from "./support/model/date-steps.ts";
import { placeSteps } from "./support/model/place-steps.ts";
import { type StepKind, stepsOf } from "./support/model/steps.ts";

/** More of them, and other ones: `WALKS=500 WALK_SEED=2 npm test -- test/catalogue-model.deep.test.ts`. */
const WALKS = Number(process.env.WALKS ?? 5);
const SEED = Number(process.env.WALK_SEED ?? 1);
const STEPS = 160;
const TIME_LIMIT_MS = 180_000 + WALKS * 30_000;
/** Looking for a shorter walk that fails likewise ends before the test does, so that it is told. */
const SHRINK_LIMIT_MS = TIME_LIMIT_MS - 60_000;

/** On the way, since a later step may hide what an earlier one did. */
const look: StepKind = { run: ({ model, service }) => compareLists(model, service) };
const steps = stepsOf({ ...bookSteps, ...dateSteps, ...placeSteps, look });
const walks = fc.commands(steps, { maxCommands: STEPS, size: "max" });

it(
  "every list matches the model of the catalogue, after any sequence of changes",
  async () => {
    await fc.assert(
      fc.asyncProperty(walks, async (walk) => {
        const app = await startApp();
        const service = { admin: await app.admin(), api: app.api, clock: app.clock };
        const model = new CatalogueModel(app.clock.now());
        await fc.asyncModelRun(() => ({ model, real: service }), walk);
        await compareLists(model, service);
      }),
      {
        numRuns: WALKS,
        seed: SEED,
        interruptAfterTimeLimit: SHRINK_LIMIT_MS,
        markInterruptAsFailure: true,
      },
    );
  },
  TIME_LIMIT_MS,
);
