/** Random walks through the catalogue and the settings of the library: after each change, every kept page is as a new one. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { ArchivePlans } from "../../src/services/downloads/archive-plan.ts";
import { createLibraryServices } from "../../src/services/library/create-library.ts";
import type { LibraryReply, PageReply, Visit } from "../../src/services/library/library-places.ts";
import { CatalogueVersions } from "../../src/services/shared/catalogue-versions.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { bodyOf } from "../support/client.ts";
import { bookSteps } from "../support/model/book-steps.ts";
import { CatalogueModel } from "../support/model/catalogue-model.ts";
import { dateSteps } from "../support/model/date-steps.ts";
import { placeSteps } from "../support/model/place-steps.ts";
import { type StepKind, stepsOf } from "../support/model/steps.ts";

type Library = Pick<ReturnType<typeof createLibraryServices>, "libraryPages" | "libraryFeeds">;

const VISIT: Visit = { root: "../", campaign: {}, acceptedLanguages: () => ["en"] };

const textOf = (reply: LibraryReply | PageReply<200> | undefined): string => {
  if (reply === undefined) return "nothing";
  return reply.kind === "moved" ? `moved to ${reply.path}` : `${reply.status} ${reply.page.bytes}`;
};

/** By name. The books of each page are those of the model. */
async function pagesOf(
  { libraryPages, libraryFeeds }: Library,
  { languages, books }: CatalogueModel,
): Promise<Record<string, string>> {
  const list = { page: 1, order: "listed" } as const;
  const pages: [string, Promise<LibraryReply | PageReply<200> | undefined>][] = [
    ["/", libraryPages.showHome("books.test", VISIT)],
    ["/library", libraryPages.showLanguages(VISIT)],
    ["/sitemap.xml", libraryFeeds.showSitemap(VISIT)],
    ...languages.flatMap(({ code }): [string, Promise<LibraryReply>][] => [
      [code, libraryPages.showList(code, list, VISIT)],
      [`${code} by title`, libraryPages.showList(code, { ...list, order: "title" }, VISIT)],
      [`${code} newest`, libraryPages.showList(code, { ...list, order: "newest" }, VISIT)],
      [`${code} searched`, libraryPages.showList(code, { ...list, q: "1" }, VISIT)],
      [`${code} whole`, libraryPages.showWhole(code, VISIT)],
      [`${code} about`, libraryPages.showText(code, "about", VISIT)],
      [`${code} feed`, libraryFeeds.showFeed(code, VISIT)],
      ...books
        .slice(0, 3)
        .map(({ slug }): [string, Promise<LibraryReply>] => [
          `${code} ${slug}`,
          libraryPages.showBook(code, slug, VISIT),
        ]),
    ]),
  ];
  return Object.fromEntries(
    await Promise.all(pages.map(async ([name, reply]) => [name, textOf(await reply)] as const)),
  );
}

const librarySteps: Readonly<Record<string, StepKind>> = {
  setLibrary: {
    async run({ admin, pick, number }) {
      const field = {
        name: `Library ${number}`,
        accentColor: `#${String(number % 1_000_000).padStart(6, "0")}`,
      };
      const contactFields = { phone: pick(["off", "optional", "required"]) };
      await bodyOf(
        admin.put("/api/admin/library", { ...field, contactFields, offersAll: pick([true, false]) }),
      );
    },
  },
  showChannel: {
    async run({ model, admin, pick }) {
      const channelId = pick([null, ...model.channels.map(({ id }) => id)]);
      await bodyOf(admin.put("/api/admin/library", { channelId }));
    },
  },
  setLibraryTexts: {
    can: ({ languages }) => languages.length > 0,
    async run({ model, admin, pick, number }) {
      const { code } = pick(model.languages);
      const name = pick(["name", "introduction", "footer", "about"]);
      const text = pick(["", `Text ${number}`]);
      await bodyOf(admin.put(`/api/admin/library/texts/${code}`, { [name]: text }));
    },
  },
};

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
