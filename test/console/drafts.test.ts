/** What is made of uploaded files: as it is planned and corrected, one book after the other. */
import { describe, expect, it } from "vitest";
import { areRegrouped, describeBooks, listCorrections } from "../../console/src/uploads/corrections.ts";
import {
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
import { type Edit, type QueueItem, startItem } from "../../console/src/uploads/queue.ts";

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

const WELL = bookOf("well", "Well", {
  bookId: "id of well",
  status: "update",
  files: [fileOf("es/well.epub"), fileOf("es/old.epub", "differs")],
  covers: [{ path: "well.jpg", languageCode: null }],
});
const MOON = bookOf("moon", "Moon", {
  files: [fileOf("es/moon.epub")],
});
const TEXTS = bookOf("texts", "Texts");

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

const sayReason = ({ reason }: { reason: string }) => reason;

const TEXTS_OF_FILES = {
  differs: "It would replace another file.",
  known: "It is known.",
  copy: (path: string) => `It is ${path}.`,
  unsure: "Is it the same?",
  describe: sayReason,
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
    expect(findTextBooks(plan, drafts)).toEqual([]);
    expect(findRejectedBooks(plan, drafts)).toEqual([{ path: "Texts", reason: errors[1]?.message }]);
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

  it("name the languages that are new, without those whose files were all taken out", () => {
    const codesOf = (drafts: readonly Draft[]) => findNewLanguages(PLAN, drafts).map(({ code }) => code);
    expect(codesOf(planDrafts())).toEqual(["ar", "es", "sw"]);
    expect(codesOf(planDrafts().map((draft) => ({ ...draft, isIncluded: false })))).toEqual(["ar", "sw"]);
  });

  it("keep images as covers of their book, also of one that was renamed", () => {
    const covers = findCovers(QUEUE, PLAN);
    expect(groupByBook(planDrafts(), covers)[0]?.covers).toMatchObject([{ path: "well.jpg" }]);
    const queue = QUEUE.map((item) => (item.id === 1 ? { ...item, edit: { bookTitle: "Deep" } } : item));
    const [, deep] = groupByBook(draftByPlan(queue, PLAN, TEXTS_OF_FILES), covers, [TEXTS]);
    expect(deep).toMatchObject({ book: { titleEn: "Deep", slug: undefined }, base: undefined });
  });

  it("have books without files beside them, and bytes that only another book has", () => {
    expect(findTextBooks(PLAN, planDrafts()).map(({ slug }) => slug)).toEqual(["texts"]);
    const known = QUEUE.map((item) => (item.id === 1 ? { ...item, status: "known" as const } : item));
    expect(draftByPlan(known, PLAN, TEXTS_OF_FILES).map(({ itemId }) => itemId)).toContain(1);
  });

  it("and files that are left out are listed with the reasons", () => {
    const texts = {
      whyIgnored: { other: "other", about: "about" },
      whyExcluded: "excluded",
      whyIncomplete: "incomplete",
      describe: String,
    };
    const queue = [
      ...QUEUE,
      itemOf(7, "README.md", { status: "ignored", kind: "other" }),
      itemOf(8, "es/broken.epub", { status: "failed", error: "why" }),
      itemOf(9, "es/out.epub", { edit: { isIncluded: false } }),
    ];
    const drafts = draftByPlan(queue, PLAN, TEXTS_OF_FILES);
    expect(
      listLeftOut(queue, PLAN, drafts, texts).map(({ path, kind, reason }) => [path, kind, reason]),
    ).toEqual([
      ["es/broken.epub", "failed", "why"],
      ["es/old.epub", "rejected", "It would replace another file."],
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
      listNewBooks(groupByBook(draftForBook([itemOf(1, "a.epub", { bookId: "moon" })], "moon", sayReason))),
    ).toEqual([]);
  });

  it("are for the book on which the files were dropped", () => {
    const queue = [itemOf(1, "a.epub", { bookId: "moon" }), itemOf(2, "b.epub")];
    expect(draftForBook(queue, "moon", sayReason)).toMatchObject([
      { itemId: 1, book: { bookId: "moon" }, languageCode: "fr", title: "Titre" },
    ]);
  });
});

/** Of the plan with these edits, by the ids of the files. */
function correct(edits: Readonly<Record<number, Edit>>, choices: Parameters<typeof listCorrections>[2] = []) {
  const queue = QUEUE.map((item) => ({ ...item, edit: edits[item.id] ?? {} }));
  const drafts = draftByPlan(queue, PLAN, TEXTS_OF_FILES);
  const isDescribed = areRegrouped(drafts);
  const groups = groupByBook(drafts, findCovers(queue, PLAN), findTextBooks(PLAN, drafts));
  const corrections = listCorrections(queue, drafts, choices, isDescribed);
  return {
    corrections,
    rows: isDescribed ? describeBooks(groups, { plan: PLAN, root: "", corrections }).slice(1) : undefined,
  };
}

describe("the corrections of an import", () => {
  it("are what was typed, chosen and taken out", () => {
    expect(correct({})).toEqual({ corrections: [], rows: undefined });
    const edits = { 1: { title: " Pozo " }, 3: { isIncluded: false }, 6: { title: " " } };
    const choices = [
      { path: "es/well.epub", languageCode: "ar" },
      { path: "es/old.epub", book: "new", leaveOut: false },
    ];
    expect(correct(edits, choices).corrections).toEqual([
      { path: "es/well.epub", languageCode: "ar", title: "Pozo" },
      { path: "es/old.epub", book: "new", leaveOut: false },
      { path: "es/moon.epub", leaveOut: true },
    ]);
  });

  it("leave out a file whose book has no name", () => {
    expect(correct({ 1: { bookTitle: " " } }).corrections).toEqual([
      { path: "es/well.epub", leaveOut: true },
    ]);
  });

  it("are a spreadsheet where a file joins another book: known books by their slugs, with their covers", () => {
    const choices = [{ path: "es/well.epub", book: "id of well" }];
    expect(correct({ 3: { bookTitle: "Well", languageCode: "ar" } }, choices)).toEqual({
      corrections: [],
      rows: [
        ["well", "", "es", "El pozo", "es/well.epub", "epub", "", ""],
        ["well", "", "ar", "El pozo", "es/moon.epub", "epub", "", ""],
        ["well", "", "es", "El pozo", "es/old.epub", "epub", "", ""],
        ["well", "", "", "", "", "", "", "well.jpg"],
      ],
    });
  });

  it("make a new book of another title, also beside known ones", () => {
    expect(correct({ 3: { bookTitle: "A Moon" } })).toEqual({
      corrections: [{ path: "es/moon.epub", book: "new" }],
      rows: [
        ["well", "", "es", "El pozo", "es/well.epub", "epub", "", ""],
        ["well", "", "es", "El pozo", "es/old.epub", "epub", "", ""],
        ["well", "", "", "", "", "", "", "well.jpg"],
        ["", "A Moon", "es", "El pozo", "es/moon.epub", "epub", "", ""],
      ],
    });
  });
});
