/** The spreadsheet that the console saves of a corrected plan: another import of the folder with it stores the same. */
import { expect, it } from "vitest";
import { writeCsv, writePlainCsv } from "../../console/src/lib/csv.ts";
import {
  areRegrouped,
  describeBooks,
  findSlugs,
  listChoices,
  listCorrections,
} from "../../console/src/uploads/corrections.ts";
import {
  draftByPlan,
  findCovers,
  findTextBooks,
  groupByBook,
  type Plan,
} from "../../console/src/uploads/drafts.ts";
import { type Edit, NOTHING, type Queue, startItem } from "../../console/src/uploads/queue.ts";
import { createSeededRandom } from "../../tools/lib/seeded-random.ts";
import { createTitledEpub } from "../support/book-files.ts";
import { createPicture } from "../support/covers.ts";
import { run, startImports } from "../support/import-scene.ts";
import { exportAll, type Files } from "../support/library-runs.ts";
import { createTxt, hashBytes } from "../support/stored-files.ts";

type Scene = Awaited<ReturnType<typeof startImports>>;

const KNOWN: Files = {
  "well/en.epub": await createTitledEpub("The Well", "en"),
  "well/es.txt": createTxt("El pozo."),
  "moon.es.txt": createTxt("La luna."),
};

const FOLDER: Files = {
  "well/en.epub": await createTitledEpub("The Well", "en", "<dc:publisher>Another</dc:publisher>"),
  "well/es.txt": createTxt("El pozo."),
  "well/ar.epub": await createTitledEpub("البئر", "ar"),
  "copy.es.txt": createTxt("La luna."),
  "moon.es.txt": createTxt("Otra luna."),
  "hill.fr.epub": await createTitledEpub("=La colline", "fr"),
  "hill.jpg": await createPicture("green"),
  "-sun.es.txt": createTxt("El sol."),
  "sol.txt": createTxt("Sol."),
  "sol copy.es.txt": createTxt("El sol."),
};
const PATHS = Object.keys(FOLDER);

const TEXTS = {
  differs: "differs",
  known: "known",
  copy: () => "copy",
  unsure: "unsure",
  describe: ({ reason }: { reason: string }) => reason,
};

type Edits = Readonly<Record<string, Edit>>;

const listQueue = (edits: Edits): Queue =>
  Object.entries(FOLDER).map(([path, bytes], id) => ({
    ...startItem({
      id,
      kind: path.endsWith(".jpg") ? "image" : "book",
      path,
      bytes: bytes.length,
      modifiedAt: 1,
      bookId: undefined,
    }),
    status: "ready",
    sha256: hashBytes(Buffer.from(bytes)),
    recognised: NOTHING,
    edit: edits[path] ?? {},
  }));

async function startWithKnown(): Promise<Scene> {
  const scene = await startImports();
  expect(await run(scene.client, KNOWN)).toMatchObject({ state: "done" });
  return scene;
}

/** What the console sends with the start, and what it saves. */
async function correct({ send }: Scene, edits: Edits) {
  const makePlan = async (more: object): Promise<Plan> => (await send(FOLDER, more)).body;
  const queue = listQueue(edits);
  const choices = listChoices(queue);
  const plan = await makePlan({ corrections: choices });
  const drafts = draftByPlan(queue, plan, TEXTS);
  const groups = groupByBook(drafts, findCovers(queue, plan), findTextBooks(plan, drafts));
  const isDescribed = areRegrouped(drafts);
  const corrections = listCorrections(queue, drafts, choices, isDescribed);
  const described = { plan, root: "", corrections };
  const text = writePlainCsv(describeBooks(groups, described));
  const sent = { corrections, ...(isDescribed && { catalogue: { name: "catalogue.csv", text } }) };
  const slugs = findSlugs(await makePlan(sent));
  const saved = writeCsv(describeBooks(groups, isDescribed ? { ...described, slugs } : described));
  return { sent, saved };
}

async function expectSame(edits: (scene: Scene) => Promise<Edits> | Edits): Promise<void> {
  const scene = await startWithKnown();
  await scene.plan(FOLDER);
  const { sent, saved } = await correct(scene, await edits(scene));
  expect(await run(scene.client, FOLDER, sent)).toMatchObject({ state: "done" });
  const made = await exportAll(scene);
  const other = await startWithKnown();
  const catalogue = { name: "catalogue.csv", text: saved };
  expect(await run(other.client, FOLDER, { catalogue })).toMatchObject({ state: "done" });
  expect(await exportAll(other), saved).toEqual(made);
  // Also a second time, with which nothing is left to do.
  const { books } = await other.plan(FOLDER, { catalogue });
  expect(books.map(({ slug, status }) => [slug, status])).toEqual(
    books.map(({ slug }) => [slug, "unchanged"]),
  );
}

/** The book of the library whose place a planned file would take. */
async function findBookId({ client }: Scene, titleEn: string): Promise<string> {
  const { body } = await client.get("/api/admin/books?limit=200&status=all");
  return body.books.find((book: { titleEn: string }) => book.titleEn === titleEn).id;
}

it.each<[string, Edits]>([
  ["nothing", {}],
  ["a language", { "sol.txt": { languageCode: "es" }, "hill.fr.epub": { languageCode: "ar" } }],
  ["a format", { "hill.fr.epub": { fileType: "kepub" }, "well/ar.epub": { fileType: "kepub" } }],
  [
    "titles of new and of known books",
    { "hill.fr.epub": { title: "@home" }, "well/es.txt": { title: "x" }, "well/ar.epub": { title: "بئر" } },
  ],
  [
    "files that are left out",
    { "hill.fr.epub": { isIncluded: false }, "-sun.es.txt": { isIncluded: false } },
  ],
  [
    "known bytes, copies and replaced files",
    {
      "copy.es.txt": { isWanted: true, isIncluded: true },
      "sol copy.es.txt": { isWanted: true, isIncluded: true },
      "well/en.epub": { isWanted: true, isIncluded: true },
    },
  ],
  [
    "a known edition's file and title",
    { "well/en.epub": { isWanted: true, isIncluded: true, title: "A Well" } },
  ],
  [
    "books that are put together",
    { "hill.fr.epub": { bookTitle: "The Well" }, "-sun.es.txt": { bookTitle: "Sun" } },
  ],
  ["a book of the title of a known one, but for a letter", { "hill.fr.epub": { bookTitle: "the well" } }],
])("repeats what was corrected: %s", async (_, edits) => {
  await expectSame(() => edits);
});

it.each([true, false])("repeats whether a book is one of the library: %s", async (isSame) => {
  await expectSame(async (scene) => {
    const answer = { bookId: await findBookId(scene, "Moon"), isSame };
    return { "moon.es.txt": { answer, isWanted: true, isIncluded: true } };
  });
});

const KINDS: readonly Edit[] = [
  {},
  {},
  { languageCode: "ar" },
  { title: "Other title" },
  { isIncluded: false },
  { isWanted: true, isIncluded: true },
  { bookTitle: "The Well" },
  { bookTitle: "Sun" },
  { bookTitle: "Sun", languageCode: "de", title: "Sonne" },
];

function editBy(seed: number): Edits {
  const random = createSeededRandom(seed);
  return Object.fromEntries(PATHS.map((path) => [path, KINDS[random(KINDS.length)] ?? {}]));
}

it.each([1, 2, 3, 4, 5, 6, 7, 8])("repeats any corrections: %i", async (seed) => {
  await expectSame(() => editBy(seed));
});
