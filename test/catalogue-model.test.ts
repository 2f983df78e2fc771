/** Random walks through the catalogue: whatever is done in whatever order, every list is that of a small model. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { startApp } from "./support/app.ts";
import type { Client } from "./support/client.ts";
import { bookSteps } from "./support/model/book-steps.ts";
import { CatalogueModel, type ModelChannel, type ModelLanguage } from "./support/model/catalogue-model.ts";
import { placeSteps } from "./support/model/place-steps.ts";
import { done, stepsOf } from "./support/model/steps.ts";

const WALKS = 15;
const STEPS = 60;
/** Another one a day keeps walking on new ground; the same seed walks the same way. */
const SEED = Number(process.env.WALK_SEED ?? 1);

const walks = fc.commands(stepsOf({ ...bookSteps, ...placeSteps }), { maxCommands: STEPS, size: "max" });

it("every list shows the catalogue as the model says, after any sequence of changes", async () => {
  await fc.assert(
    fc.asyncProperty(walks, async (steps) => {
      const { admin, api } = await start();
      const model = new CatalogueModel();
      await fc.asyncModelRun(() => ({ model, real: admin }), steps);
      await comparePublicLists(model, api);
      await compareAdminLists(model, admin);
    }),
    { numRuns: WALKS, seed: SEED, interruptAfterTimeLimit: 90_000 },
  );
}, 120_000);

async function start(): Promise<{ admin: Client; api: Client }> {
  const app = await startApp();
  return { admin: await app.admin(), api: app.api };
}

/** In every language and on every channel, and in all of them together. */
async function comparePublicLists(model: CatalogueModel, api: Client): Promise<void> {
  for (const language of [undefined, ...model.languages])
    for (const channel of [undefined, ...model.channels]) {
      const path = `/api/books?limit=200${query(language, channel)}`;
      const isThere = (language?.isActive ?? true) && (channel?.isActive ?? true);
      const { books } = await done(api.get(path), isThere ? 200 : 404);
      if (isThere) expect(books.map(publicView), path).toEqual(model.publicList(language, channel));
    }
}

async function compareAdminLists(model: CatalogueModel, admin: Client): Promise<void> {
  for (const language of [undefined, ...model.languages]) {
    const path = `/api/admin/books?limit=200${query(language, undefined)}`;
    const { books } = await done(admin.get(path));
    expect(books.map(adminView), path).toEqual(model.adminList(language));
    if (!language) continue;
    const matrix = await done(admin.get(`/api/admin/channels/matrix?languageId=${language.id}`));
    expect(matrix.books.map(matrixView), `matrix of ${language.code}`).toEqual(model.matrix(language));
  }
}

const query = (language: ModelLanguage | undefined, channel: ModelChannel | undefined): string =>
  (language ? `&languageCode=${language.code}` : "") + (channel ? `&channel=${channel.slug}` : "");

interface ShownBook {
  id: string;
  slug: string;
  title: string;
  titleEn: string;
  sortOrder: number;
  isActive: 0 | 1;
  translationsCount: number;
  filesCount: number;
  languages: string[];
  files: { id: string }[];
  publications: Record<string, boolean>;
}

const publicView = ({ id, slug, title, languages, files }: ShownBook) => ({
  ...{ id, slug, title, languages: languages.toSorted() },
  files: files.map((file) => file.id).sort(),
});

const adminView = (book: ShownBook) => {
  const { id, slug, titleEn, sortOrder, isActive, translationsCount, filesCount, languages } = book;
  const counts = { translationsCount, filesCount };
  return {
    id,
    slug,
    titleEn,
    sortOrder,
    isActive: isActive === 1,
    ...counts,
    languages: languages.toSorted(),
  };
};

const matrixView = ({ id, publications }: ShownBook) => ({
  id,
  channels: Object.keys(publications)
    .filter((channel) => publications[channel])
    .sort(),
});
