/** Random walks through the catalogue: after each change, everything that is kept is what fresh statements find. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { PublicCatalogueService } from "../../src/services/catalogue/public-catalogue.service.ts";
import { ArchivePlans } from "../../src/services/downloads/archive-plan.ts";
import { CatalogueVersions } from "../../src/services/shared/catalogue-versions.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { bookSteps } from "../support/model/book-steps.ts";
import { CatalogueModel } from "../support/model/catalogue-model.ts";
import { dateSteps } from "../support/model/date-steps.ts";
import { placeSteps } from "../support/model/place-steps.ts";
import { stepsOf } from "../support/model/steps.ts";

/** More of them, and other ones: `WALKS=100 WALK_SEED=2`. */
const WALKS = Number(process.env.WALKS ?? 1);
const SEED = Number(process.env.WALK_SEED ?? 1);
const STEPS = 150;
const PAGING = { page: 1, limit: 200 };

/** What readers get: each list, the languages, and what the archive of each language contains. */
async function responsesOf(
  catalogue: PublicCatalogueService,
  plans: ArchivePlans,
  { languages, channels }: CatalogueModel,
): Promise<object> {
  const textOf = async ({ bytes }: { bytes: Buffer }) => bytes.toString();
  const version = await catalogue.readVersion();
  const lists = [undefined, ...languages.map(({ code }) => code)].flatMap((languageCode) =>
    [undefined, ...channels.map(({ slug }) => slug)].map((channel) => ({ languageCode, channel })),
  );
  const responses = [
    ...lists.map((query) => [query, catalogue.list({ ...PAGING, ...query }, "").then(textOf)] as const),
    ["languages", catalogue.listLanguages().then(textOf)] as const,
    ...languages.map(({ code }) => {
      const plan = catalogue.findActiveLanguage(code, version).then((language) => plans.getPlan(language));
      return [`archive of ${code}`, plan.then(JSON.stringify)] as const;
    }),
  ];
  const settled = responses.map(async ([what, response]) => [
    JSON.stringify(what),
    await response.catch(({ code }) => code),
  ]);
  return Object.fromEntries(await Promise.all(settled));
}

/** Services that have kept nothing. */
function freshServices({ container }: TestApp): [PublicCatalogueService, ArchivePlans] {
  const { clock, reads, catalogue } = container;
  const versions = new CatalogueVersions({ ...reads, clock });
  return [
    new PublicCatalogueService({ reads, versions, catalogue }),
    new ArchivePlans({ catalogue, versions }),
  ];
}

const steps = fc.oneof(...stepsOf({ ...bookSteps, ...dateSteps, ...placeSteps }));
const walks = fc.array(steps, { minLength: STEPS, maxLength: STEPS });

it(
  "keeps exactly what fresh statements find, after any sequence of changes",
  async () => {
    await fc.assert(
      fc.asyncProperty(walks, async (walk) => {
        const app = await startApp();
        const service = { admin: await app.admin(), api: app.api, clock: app.clock };
        const model = new CatalogueModel(app.clock.now());
        const kept = freshServices(app);
        for (const step of walk) {
          if (!step.check(model)) continue;
          await step.run(model, service);
          expect(await responsesOf(...kept, model), `after ${step}`).toEqual(
            await responsesOf(...freshServices(app), model),
          );
        }
      }),
      { numRuns: WALKS, seed: SEED, endOnFailure: true },
    );
  },
  120_000 + WALKS * 60_000,
);
