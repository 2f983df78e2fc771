/** What is made of uploaded files: as it is planned and corrected, one book after the other. */
import { describe, expect, it } from "vitest";
import { composeBook, composeCovers } from "../../console/src/uploads/compose-book.ts";
import {
  type BookDrafts,
  type Draft,
  draftByPlan,
  draftForBook,
  findCovers,
  findNewLanguages,
  findRejectedBooks,
  findTextBooks,
  groupByBook,
  listOpenRemarks,
  type Plan,
  type PlannedBook,
  readFileName,
} from "../../console/src/uploads/drafts.ts";
import { countForReaders, listNewBooks } from "../../console/src/uploads/for-readers.ts";
import { listLeftOut } from "../../console/src/uploads/left-out.ts";
import { listQuestions } from "../../console/src/uploads/questions.ts";
import { type Edit, type QueueEvent, type QueueItem, startItem } from "../../console/src/uploads/queue.ts";
import { type WriteSteps, writeDrafts } from "../../console/src/uploads/write-drafts.ts";

const itemOf = (id: number, path: string, more: Partial<QueueItem> = {}): QueueItem => ({
  ...startItem({ id, kind: "book", path, bytes: 1, modifiedAt: 1, bookId: undefined }),
  status: "ready",
  sha256: `hash ${id}`,
  recognised: { fileType: "epub", languageCode: "fr", title: "Titre", errors: [] },
  ...more,
});

const fileOf = (path: string, status = "create") => ({
  path,
  languageCode: "es",
  fileType: "epub",
  fileName: readFileName(path),
  title: "El pozo",
  status,
  remarks: [],
});

const bookOf = (slug: string, titleEn: string, more: Partial<PlannedBook> = {}): PlannedBook => ({
  slug,
  bookId: null,
  titleEn,
  status: "create",
  files: [],
  covers: [],
  coversCount: 0,
  titleIsBorrowed: false,
  keptTexts: [],
  errors: [],
  ...more,
});

const editionOf = (languageCode: string, title: string, license = "CC0-1.0") => ({
  languageCode,
  title,
  license,
});

const WELL = bookOf("well", "Well", {
  bookId: "id of well",
  status: "update",
  files: [fileOf("es/well.epub"), fileOf("es/old.epub", "differs")],
  covers: [{ path: "well.jpg", languageCode: null }],
  details: {
    upsert: { slug: "well", titleEn: "Well", tags: ["water"], translations: [editionOf("es", "El pozo")] },
    coversInFiles: [],
  },
});
const MOON = bookOf("moon", "Moon", {
  files: [fileOf("es/moon.epub")],
  details: {
    upsert: {
      slug: "moon",
      titleEn: "Moon",
      tags: ["sky"],
      translations: [editionOf("es", "La luna", "MIT")],
    },
    coversInFiles: [{ path: "es/moon.epub", sha256: "hash 3", languageCode: "es" }],
  },
});
const TEXTS = bookOf("texts", "Texts", {
  details: { upsert: { slug: "texts", titleEn: "Texts", translations: [] }, coversInFiles: [] },
});

const PLAN: Plan = {
  books: [WELL, MOON, TEXTS],
  languages: ["ar", "es", "sw"].map((code) => ({
    code,
    name: code,
    nativeName: code,
    direction: "ltr",
    parentCode: null,
  })),
  leftOut: [
    { path: "notes.txt", reason: "It has no language." },
    { path: "line 3 of catalogue.csv", reason: "It has no title." },
  ],
  notices: [],
};

const QUEUE = [
  itemOf(1, "es/well.epub"),
  itemOf(2, "es/old.epub"),
  itemOf(3, "es/moon.epub", { edit: { bookTitle: "Well", languageCode: "ar" } }),
  itemOf(4, "notes.txt", { recognised: { fileType: "txt", languageCode: null, title: null, errors: [] } }),
  itemOf(5, "well.jpg", { kind: "image" }),
  itemOf(6, "es/known.epub", { status: "known" }),
];

const TEXTS_OF_FILES = {
  differs: "It would replace another file.",
  known: "It is known.",
  copy: (path: string) => `It is ${path}.`,
  unsure: "Is it the same?",
};
const planDrafts = () => draftByPlan(QUEUE, PLAN, TEXTS_OF_FILES);

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

  it("leave out a book that can't be stored as it is, and say why; its new languages are created", () => {
    const errors = [
      {
        code: "language_missing",
        message: "The language sw doesn't exist; create it first.",
        languageCode: "sw",
      },
      { code: "url_host_not_public", message: "links.0.url: Its host isn't permitted." },
    ];
    const plan = {
      ...PLAN,
      books: [
        { ...WELL, errors: errors.slice(0, 1) },
        { ...MOON, errors },
        { ...TEXTS, errors },
      ],
    };
    const drafts = draftByPlan(QUEUE, plan, TEXTS_OF_FILES);
    const [well, , moon] = drafts;
    expect(well).toMatchObject({ isIncluded: true, notes: [] });
    expect(moon).toMatchObject({ isIncluded: false, notes: errors.slice(1).map(({ message }) => message) });
    expect(findTextBooks(QUEUE, plan, drafts)).toEqual([]);
    expect(findRejectedBooks(QUEUE, plan, drafts)).toEqual([{ path: "Texts", reason: errors[1]?.message }]);
  });

  it("that another book has already can be stored again after that failed", () => {
    const place = { bookId: "id of moon", fileId: "f", languageCode: "es", fileType: "epub" };
    const failed = { status: "failed", recognised: undefined, places: [place] } as const;
    const queue = QUEUE.map((item) => (item.id === 1 ? { ...item, ...failed } : item));
    expect(draftByPlan(queue, PLAN, TEXTS_OF_FILES).map(({ itemId }) => itemId)).toContain(1);
  });

  it("need a language, a format and a book", () => {
    const [well] = planDrafts();
    if (!well) throw new Error("there is no draft");
    for (const hole of [{ languageCode: "" }, { fileType: "" }, { book: { titleEn: " " } }])
      expect(groupByBook([{ ...well, ...hole }])).toEqual([]);
  });

  it("name the languages that are new: of the plan without those that were taken out, and of corrections", () => {
    const codesOf = (known: string[], drafts = planDrafts()) =>
      findNewLanguages(PLAN, drafts, new Set(known)).map(({ code }) => code);
    expect(codesOf(["es"])).toEqual(["ar", "sw"]);
    expect(codesOf([])).toEqual(["ar", "es", "sw"]);
    const excluded = planDrafts().map((draft) => ({ ...draft, isIncluded: false }));
    expect(codesOf([], excluded)).toEqual(["ar", "sw"]);
    const corrected = planDrafts().map((draft) => ({ ...draft, languageCode: "yo" }));
    expect(codesOf([], corrected)).toEqual(["ar", "sw", "yo"]);
  });

  it("keep images as covers of their book, also of one that was renamed", () => {
    const covers = findCovers(QUEUE, PLAN);
    expect(groupByBook(planDrafts(), covers)[0]?.covers).toMatchObject([{ itemId: 5 }]);
    const queue = QUEUE.map((item) => (item.id === 1 ? { ...item, edit: { bookTitle: "Deep" } } : item));
    const [, deep] = groupByBook(draftByPlan(queue, PLAN, TEXTS_OF_FILES), covers, [TEXTS]);
    expect(deep).toMatchObject({ book: { titleEn: "Deep", slug: undefined }, base: undefined });
  });

  it("have books without files beside them, and bytes that only another book has", () => {
    const textBooksOf = (queue: typeof QUEUE) =>
      findTextBooks(queue, PLAN, draftByPlan(queue, PLAN, TEXTS_OF_FILES)).map(({ slug }) => slug);
    expect(textBooksOf(QUEUE)).toEqual(["texts"]);
    // While the run goes on.
    expect(textBooksOf(QUEUE.map((item) => (item.id === 3 ? { ...item, status: "stored" } : item)))).toEqual([
      "texts",
    ]);
    const known = QUEUE.map((item) => (item.id === 1 ? { ...item, status: "known" as const } : item));
    expect(draftByPlan(known, PLAN, TEXTS_OF_FILES).map(({ itemId }) => itemId)).toContain(1);
  });

  it("and files that are left out are listed with the reasons, also after a stopped run", () => {
    const texts = {
      whyIgnored: { other: "other", about: "about" },
      whyExcluded: "excluded",
      whyIncomplete: "incomplete",
      whyStopped: "stopped",
      whyUndone: "undone",
      describe: String,
    };
    const queue = [
      ...QUEUE,
      itemOf(7, "README.md", { status: "ignored", kind: "other" }),
      itemOf(8, "es/broken.epub", { status: "failed", error: "why" }),
      itemOf(9, "es/out.epub", { edit: { isIncluded: false } }),
      itemOf(10, "es/back.epub", { status: "undone", recognised: undefined }),
    ];
    const drafts = draftByPlan(queue, PLAN, TEXTS_OF_FILES);
    const run = { failures: [{ title: "Texts", error: "no" }], wasStopped: true };
    expect(
      listLeftOut(queue, PLAN, drafts, run, texts).map(({ path, kind, reason }) => [path, kind, reason]),
    ).toEqual([
      ["es/broken.epub", "failed", "why"],
      ["es/back.epub", "undone", "undone"],
      ["Texts", "failed", "no"],
      ["es/well.epub", "stopped", "stopped"],
      ["es/old.epub", "rejected", "It would replace another file."],
      ["es/moon.epub", "stopped", "stopped"],
      ["notes.txt", "rejected", "It has no language."],
      ["es/out.epub", "excluded", "excluded"],
      ["line 3 of catalogue.csv", "rejected", "It has no title."],
      ["README.md", "ignored", "other"],
    ]);
  });

  it("have the remarks of the plan until they are corrected", () => {
    const differs = (code: string) => ({ code, found: "a", expected: "b", message: "It differs." });
    const codes = ["language_differs", "title_differs", "isbn_differs", "cover_missing"];
    const file = { ...fileOf("es/moon.epub"), remarks: codes.map(differs) };
    const plan: Plan = { ...PLAN, books: [WELL, { ...MOON, files: [file] }] };
    const remarked = (edit: Edit) =>
      draftByPlan([itemOf(3, "es/moon.epub", { edit })], plan, TEXTS_OF_FILES)
        .flatMap(listOpenRemarks)
        .map(({ code }) => code);
    expect(remarked({})).toEqual(codes);
    expect(remarked({ title: "Luna" })).toEqual(["language_differs", "isbn_differs", "cover_missing"]);
    for (const moved of [{ languageCode: "ar" }, { bookTitle: "Well" }, { bookTitle: "Another" }])
      expect(remarked(moved)).toEqual(["cover_missing"]);
  });

  it("ask of unsure books which they are, also after the answer", () => {
    const unsure = [{ code: "unsure", message: "It could be a book.", bookId: "id of well" }];
    const plan = { ...PLAN, books: [{ ...WELL, status: "unsure", errors: unsure }, MOON, TEXTS] };
    const ask = (edit: Edit, books = plan.books) => {
      const queue = QUEUE.map((item) => ({ ...item, edit: item.id === 2 ? edit : {} }));
      const drafts = draftByPlan(queue, { ...plan, books }, TEXTS_OF_FILES);
      return { notes: drafts[0]?.notes, questions: listQuestions(drafts, { books }) };
    };
    const question = { slug: "well", itemIds: [1, 2], paths: ["es/well.epub", "es/old.epub"] };
    const open = { ...question, bookId: "id of well", isSame: undefined };
    expect(ask({})).toEqual({ notes: ["Is it the same?"], questions: [open] });
    const answer = { bookId: "id of sea", isSame: false };
    expect(ask({ answer }, PLAN.books)).toEqual({ notes: [], questions: [{ ...question, ...answer }] });
    expect(ask({}, PLAN.books).questions).toEqual([]);
  });

  it("say where the bytes of known files are", () => {
    const place = { bookId: "id of moon", fileId: "f", languageCode: "es" };
    const explain = (knownAs: Draft["knownAs"]) => {
      const files = [{ ...fileOf("es/well.epub", "known"), knownAs }];
      const plan = { ...PLAN, books: [{ ...WELL, files }] };
      const [draft] = draftByPlan(QUEUE, plan, TEXTS_OF_FILES);
      return [draft?.isIncluded, draft?.notes, draft?.knownAs];
    };
    expect(explain([place])).toEqual([false, ["It is known."], [place]]);
    expect(explain([{ path: "a.epub" }])).toEqual([false, ["It is a.epub."], [{ path: "a.epub" }]]);
  });

  it("make new books, also of known ones that get another title; readers get those with files", () => {
    const newOf = (edit: Edit) => {
      const queue = QUEUE.map((item) => ({ ...item, edit: item.id === 1 ? edit : {} }));
      return listNewBooks(groupByBook(draftByPlan(queue, PLAN, TEXTS_OF_FILES), [], [TEXTS]), PLAN);
    };
    const titlesOf = (edit: Edit) => newOf(edit).map(({ book }) => book.titleEn);
    expect(titlesOf({})).toEqual(["Texts", "Moon"]);
    expect(countForReaders(newOf({}))).toEqual({ books: 1, languages: 1 });
    expect(titlesOf({ bookTitle: "Deep" })).toEqual(["Texts", "Deep", "Moon"]);
    expect(countForReaders(newOf({ bookTitle: "Deep", languageCode: "fr" }))).toEqual({
      books: 2,
      languages: 2,
    });
    expect(titlesOf({ isIncluded: false })).toEqual(["Texts", "Moon"]);
    expect(
      listNewBooks(groupByBook(draftForBook([itemOf(1, "a.epub", { bookId: "moon" })], "moon"))),
    ).toEqual([]);
  });

  it("are for the book on which the files were dropped", () => {
    const queue = [itemOf(1, "a.epub", { bookId: "moon" }), itemOf(2, "b.epub")];
    expect(draftForBook(queue, "moon")).toMatchObject([
      { itemId: 1, book: { bookId: "moon" }, languageCode: "fr", title: "Titre" },
    ]);
  });
});

describe("the texts of a corrected book", () => {
  const detailed = new Map([WELL, MOON, TEXTS].map((book) => [book.slug, book]));
  const compose = (edits: Readonly<Record<number, Edit>>) => {
    const queue = QUEUE.map((item) => ({ ...item, edit: edits[item.id] ?? {} }));
    const drafts = draftByPlan(queue, PLAN, TEXTS_OF_FILES);
    const open = new Set(drafts.map(({ path }) => path));
    const groups = groupByBook(drafts, findCovers(queue, PLAN));
    return groups.map((group) => ({
      texts: composeBook(group, detailed, open),
      covers: composeCovers(group, detailed, open),
    }));
  };

  it("are those of the plan without corrections", () => {
    expect(compose({})).toEqual([
      { texts: WELL.details?.upsert, covers: [{ languageCode: undefined, source: { itemId: 5 } }] },
      { texts: MOON.details?.upsert, covers: [{ languageCode: "es", source: { sha256: "hash 3" } }] },
    ]);
  });

  it("follow a file into another language, with its cover", () => {
    const [, moon] = compose({ 3: { languageCode: "ar", title: "القمر" } });
    expect(moon?.texts?.translations).toEqual([editionOf("ar", "القمر", "MIT")]);
    expect(moon?.covers).toMatchObject([{ languageCode: "ar" }]);
  });

  it("follow a file into another book that has no texts in its language", () => {
    const [well] = compose({ 3: { bookTitle: "Well", languageCode: "ar" } });
    expect(well?.texts?.translations).toEqual([
      editionOf("es", "El pozo"),
      editionOf("ar", "La luna", "MIT"),
    ]);
  });

  it("keep everything else of a book that is renamed", () => {
    const [, moon] = compose({ 3: { bookTitle: "A Moon" } });
    expect(moon?.texts).toEqual({
      titleEn: "A Moon",
      tags: ["sky"],
      translations: [editionOf("es", "La luna", "MIT")],
    });
    expect(moon?.covers).toHaveLength(1);
  });
});

/** A service that has the book `well` with a Spanish title, and notes of what it was asked. */
function startService(steps: Partial<WriteSteps> = {}) {
  const asked: string[] = [];
  const events: QueueEvent[] = [];
  const service: WriteSteps = {
    addLanguage: async ({ code }) => void asked.push(`language ${code}`),
    readPlanned: async (slugs) => PLAN.books.filter(({ slug }) => slugs.includes(slug)),
    async upsertBook({ slug, titleEn, translations = [] }) {
      asked.push(`book ${titleEn} ${(translations ?? []).map(({ title }) => title).join()}`);
      return `id of ${slug}`;
    },
    listTranslations: async () => ["es"],
    addTranslation: async (bookId, code, title) => void asked.push(`title ${bookId} ${code} ${title}`),
    async addFile(bookId, { languageCode, fileType, fileName }) {
      asked.push(`file ${bookId} ${languageCode} ${fileName}`);
      return { place: { bookId, fileId: "x", languageCode, fileType }, remarks: [] };
    },
    async addCover(bookId, { languageCode }) {
      asked.push(`cover ${bookId} ${languageCode}`);
      return [];
    },
    ...steps,
  };
  const target = {
    dispatch: (event: QueueEvent) => void events.push(event),
    repeat: <T>(_: readonly number[], request: () => Promise<T>) => request(),
    async sendAgain(id: number) {
      events.push({ type: "lost", id });
      return true;
    },
  };
  const failures: string[] = [];
  const write = (isStopped = () => false, newLanguages: { code: string }[] = []) => {
    const drafts = draftByPlan(QUEUE, PLAN, TEXTS_OF_FILES);
    const groups = groupByBook(drafts, findCovers(QUEUE, PLAN), [TEXTS]);
    const open = new Set(drafts.map(({ path }) => path));
    const report = ({ book }: BookDrafts, error?: unknown) => {
      if (error) failures.push(book.titleEn);
    };
    const archives = false;
    return writeDrafts({ groups, newLanguages, open, archives, steps: service, target, isStopped, report });
  };
  return { asked, events, failures, write };
}

describe("storing drafts", () => {
  it("creates languages first, then each book with its texts, its files and its covers", async () => {
    const { asked, events, write } = startService();
    await write(undefined, [{ code: "ar" }]);
    expect(asked).toEqual([
      "language ar",
      "book Texts ",
      "book Well El pozo,La luna",
      "file id of well es well.epub",
      "file id of well ar moon.epub",
      "cover id of well undefined",
    ]);
    expect(events.filter(({ type }) => type === "stored")).toHaveLength(3);
  });

  it("goes on with the next book after one that the service rejects, and names it", async () => {
    const error = new Error("no");
    const { events, failures, write } = startService({
      async upsertBook({ slug }) {
        if (slug === "texts") throw error;
        return `id of ${slug}`;
      },
    });
    await write();
    expect(failures).toEqual(["Texts"]);
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
        return { place: { bookId, fileId: "x", languageCode, fileType }, remarks: [] };
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
        return { place: { bookId, fileId: "x", languageCode, fileType }, remarks: [] };
      },
    });
    await write();
    expect(events).toContainEqual({ type: "lost", id: 1 });
    expect(events.filter(({ type }) => type === "stored")).toHaveLength(3);
    expect(events.filter(({ type }) => type === "failed")).toEqual([]);
  });

  it("stops before the next file", async () => {
    const { asked, write } = startService();
    await write(() => asked.length > 2);
    expect(asked).toEqual(["book Texts ", "book Well El pozo,La luna", "file id of well es well.epub"]);
  });
});
