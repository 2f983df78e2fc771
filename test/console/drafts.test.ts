/** What is made of uploaded files: as it is planned and corrected, one book after the other. */
import { describe, expect, it } from "vitest";
import {
  draftByPlan,
  draftForBook,
  findCovers,
  findNewLanguages,
  groupByBook,
  type Plan,
} from "../../console/src/uploads/drafts.ts";
import { type QueueEvent, type QueueItem, startItem } from "../../console/src/uploads/queue.ts";
import { type WriteSteps, writeDrafts } from "../../console/src/uploads/write-drafts.ts";

const itemOf = (id: number, path: string, more: Partial<QueueItem> = {}): QueueItem => ({
  ...startItem({ id, path, bytes: 1, modifiedAt: 1, bookId: undefined }),
  status: "ready",
  sha256: `hash ${id}`,
  recognised: { fileType: "epub", languageCode: "fr", title: "Titre", errors: [] },
  ...more,
});

const fileOf = (path: string, status = "create") => ({
  path,
  languageCode: "es",
  fileType: "epub",
  title: "El pozo",
  status,
});

const PLAN: Plan = {
  books: [
    {
      slug: "well",
      titleEn: "Well",
      files: [fileOf("es/well.epub"), fileOf("es/old.epub", "differs")],
      covers: [{ path: "well.jpg", languageCode: null }],
      errors: [],
    },
    { slug: "moon", titleEn: "Moon", files: [fileOf("es/moon.epub")], covers: [], errors: [] },
  ],
  leftOut: [{ path: "notes.txt", reason: "It has no language." }],
};

const QUEUE = [
  itemOf(1, "es/well.epub"),
  itemOf(2, "es/old.epub"),
  itemOf(3, "es/moon.epub", { edit: { bookTitle: "Well", languageCode: "ar" } }),
  itemOf(4, "notes.txt", { recognised: { fileType: "txt", languageCode: null, title: null, errors: [] } }),
  itemOf(5, "well.jpg"),
  itemOf(6, "es/known.epub", { status: "known" }),
];

const planDrafts = () => draftByPlan(QUEUE, PLAN, "It would replace another file.");

describe("drafts", () => {
  it("are those of the plan, with what was corrected; a title of another book joins it", () => {
    const [well, , moon] = planDrafts();
    expect(well).toMatchObject({
      book: { slug: "well" },
      languageCode: "es",
      title: "El pozo",
      isIncluded: true,
    });
    expect(moon).toMatchObject({ book: { slug: "well" }, languageCode: "ar" });
    expect(groupByBook(planDrafts())).toMatchObject([{ book: { slug: "well" }, drafts: [{}, {}] }]);
  });

  it("leave out what the plan leaves out and what would replace another file, and say why", () => {
    const [, old, , notes] = planDrafts();
    expect(old).toMatchObject({ isIncluded: false, notes: ["It would replace another file."] });
    expect(notes).toMatchObject({ isIncluded: false, notes: ["It has no language."], fileType: "txt" });
    expect(planDrafts()).toHaveLength(4);
  });

  it("need a language, a format and a book", () => {
    const [well] = planDrafts();
    if (!well) throw new Error("there is no draft");
    for (const hole of [{ languageCode: "" }, { fileType: "" }, { book: { titleEn: " " } }])
      expect(groupByBook([{ ...well, ...hole }])).toEqual([]);
  });

  it("name the languages that the service doesn't have", () => {
    expect(findNewLanguages(planDrafts(), new Set(["es"]))).toEqual(["ar"]);
  });

  it("keep images as covers of their book", () => {
    const drafts = planDrafts();
    expect(groupByBook(drafts, findCovers(QUEUE, PLAN, drafts))[0]?.covers).toMatchObject([{ itemId: 5 }]);
  });

  it("are for the book on which the files were dropped", () => {
    const queue = [itemOf(1, "a.epub", { bookId: "moon" }), itemOf(2, "b.epub")];
    expect(draftForBook(queue, "moon")).toMatchObject([
      { itemId: 1, book: { bookId: "moon" }, languageCode: "fr", title: "Titre" },
    ]);
  });
});

/** A service that has the book `well` with a Spanish title, and notes of what it was asked. */
function startService(steps: Partial<WriteSteps> = {}) {
  const asked: string[] = [];
  const events: QueueEvent[] = [];
  const service: WriteSteps = {
    addLanguage: async (code) => void asked.push(`language ${code}`),
    createBook: async ({ slug }) => `new ${slug}`,
    findBook: async (slug) => (slug === "well" ? "id of well" : undefined),
    listTranslations: async () => ["es"],
    addTranslation: async (bookId, code, title) => void asked.push(`title ${bookId} ${code} ${title}`),
    async addFile(bookId, { languageCode, fileType, fileName }) {
      asked.push(`file ${bookId} ${languageCode} ${fileName}`);
      return { bookId, fileId: "x", languageCode, fileType };
    },
    addCover: async (bookId, code) => void asked.push(`cover ${bookId} ${code}`),
    ...steps,
  };
  const target = {
    dispatch: (event: QueueEvent) => void events.push(event),
    repeat: <T>(_: readonly number[], request: () => Promise<T>) => request(),
    whenReady: async () => true,
  };
  const write = (isStopped = () => false, newLanguages: string[] = []) => {
    const drafts = draftByPlan(QUEUE, PLAN, "");
    const groups = groupByBook(drafts, findCovers(QUEUE, PLAN, drafts));
    return writeDrafts(groups, newLanguages, service, target, isStopped);
  };
  return { asked, events, write };
}

describe("storing drafts", () => {
  it("creates languages first, adds titles that are missing, files and covers, and replaces no title", async () => {
    const { asked, events, write } = startService();
    await write(undefined, ["ar"]);
    expect(asked).toEqual([
      "language ar",
      "file id of well es well.epub",
      "title id of well ar El pozo",
      "file id of well ar moon.epub",
      "cover id of well undefined",
    ]);
    expect(events.filter(({ type }) => type === "stored")).toHaveLength(3);
  });

  it("goes on with the next file after one that fails", async () => {
    const error = { status: 409 };
    let isFirst = true;
    const { events, write } = startService({
      async addFile(bookId, { languageCode, fileType }) {
        const fails = isFirst;
        isFirst = false;
        if (fails) throw error;
        return { bookId, fileId: "x", languageCode, fileType };
      },
    });
    await write();
    expect(events).toContainEqual({ type: "failed", ids: [1], error });
    expect(events.filter(({ type }) => type === "stored")).toHaveLength(2);
  });

  it("sends bytes again that the service doesn't have any more", async () => {
    let isFirst = true;
    const { events, write } = startService({
      async addFile(bookId, { languageCode, fileType }) {
        const isLost = isFirst;
        isFirst = false;
        if (isLost) throw { status: 404, code: "content_unknown" };
        return { bookId, fileId: "x", languageCode, fileType };
      },
    });
    await write();
    expect(events).toContainEqual({ type: "lost", id: 1 });
    expect(events.filter(({ type }) => type === "stored")).toHaveLength(3);
    expect(events.filter(({ type }) => type === "failed")).toEqual([]);
  });

  it("stops before the next file", async () => {
    const { asked, write } = startService();
    await write(() => asked.length > 0);
    expect(asked).toEqual(["file id of well es well.epub"]);
  });
});
