/** Selecting and switching in the grid of publications, and what of it is still to be saved. */
import { describe, expect, it } from "vitest";
import {
  addWanted,
  applyChanges,
  changeWanted,
  countWanted,
  endBatch,
  type Grid,
  NO_CHANGES,
  NOTHING_WANTED,
  splitRejected,
  stopBatch,
  takeBatch,
  undoChanges,
} from "../../console/src/publications/changes.ts";
import {
  filterBooks,
  findRange,
  moveSelection,
  type Selection,
  selectCell,
  setSelection,
  switchSelection,
  writeGrid,
} from "../../console/src/publications/selection.ts";
import { showLines } from "../../console/src/publications/shown-lines.ts";

const channels = ["site", "news", "app"].map((id) => ({ id, name: id, slug: id }));
const grid: Grid = {
  channels,
  books: [
    { bookId: "well", titleEn: "The Déep Well", published: "100", available: 1 },
    { bookId: "moon", titleEn: "=Moon, new", published: "000", available: 1 },
    { bookId: "star", titleEn: "Star", published: "010", inherited: "010", available: 0 },
  ],
};
const size = { rows: 3, columns: 3, page: 2, isRtl: false };
const press = (selection: Selection, key: string, keys = {}, layout = size) =>
  moveSelection(selection, { key, shiftKey: false, ctrlKey: false, ...keys }, layout);

describe("moving in the grid", () => {
  const middle = selectCell({ row: 1, column: 1 });

  it("follows the arrows, mirrored from right to left, and stops at the edges", () => {
    expect(press(middle, "ArrowRight")?.active).toEqual({ row: 1, column: 2 });
    expect(press(middle, "ArrowRight", {}, { ...size, isRtl: true })?.active).toEqual({ row: 1, column: 0 });
    expect(press(middle, "ArrowDown")?.active).toEqual({ row: 2, column: 1 });
    expect(press(selectCell({ row: 2, column: 2 }), "ArrowDown")?.active).toEqual({ row: 2, column: 2 });
    expect(press(selectCell({ row: 0, column: 0 }), "ArrowUp")?.active).toEqual({ row: -1, column: 0 });
    expect(press(selectCell({ row: 0, column: 0 }), "ArrowLeft")?.active).toEqual({ row: 0, column: -1 });
  });

  it("goes to the ends and by pages", () => {
    expect(press(middle, "End", { ctrlKey: true })?.active).toEqual({ row: 2, column: 2 });
    expect(press(middle, "Home")?.active).toEqual({ row: 1, column: 0 });
    expect(press(selectCell({ row: 0, column: 1 }), "PageDown")?.active).toEqual({ row: 2, column: 1 });
    expect(press(middle, "x")).toBeUndefined();
  });

  it("keeps the anchor with Shift, and selects rows, columns and everything", () => {
    const extended = press(middle, "ArrowDown", { shiftKey: true }) ?? middle;
    expect(findRange(extended, size)).toEqual({ rows: [1, 2], columns: [1, 1] });
    const row = press(middle, " ", { shiftKey: true }) ?? middle;
    expect(findRange(row, size)).toEqual({ rows: [1, 1], columns: [0, 2] });
    const column = press(middle, " ", { ctrlKey: true }) ?? middle;
    expect(findRange(column, size)).toEqual({ rows: [0, 2], columns: [1, 1] });
    const all = press(middle, "a", { ctrlKey: true }) ?? middle;
    expect(findRange(all, size)).toEqual({ rows: [0, 2], columns: [0, 2] });
  });
});

describe("switching a selection", () => {
  it("publishes what isn't, and withdraws if everything is published", () => {
    const column = selectCell({ row: -1, column: 0 });
    const on = switchSelection(grid, NOTHING_WANTED, column);
    expect(on.map(({ bookId, isPublished }) => [bookId, isPublished])).toEqual([
      ["moon", true],
      ["star", true],
    ]);
    const off = switchSelection(grid, addWanted(NOTHING_WANTED, on), column);
    expect(off.map(({ bookId, isPublished }) => [bookId, isPublished])).toEqual([
      ["well", false],
      ["moon", false],
      ["star", false],
    ]);
  });

  it("switches what a sub-language publishes beside its parent, which goes on", () => {
    const star = {
      bookId: "star",
      titleEn: "Star",
      published: "010",
      inherited: "010",
      own: "010",
      available: 1,
    };
    const cell = selectCell({ row: 0, column: 1 });
    const changes = switchSelection({ channels, books: [star] }, NOTHING_WANTED, cell);
    expect(changes).toEqual([{ bookId: "star", channelId: "news", isPublished: false }]);
    const after = applyChanges({ channels, books: [star] }, changes);
    expect(after.books).toEqual([{ ...star, own: "000" }]);
    expect(switchSelection(after, NOTHING_WANTED, cell)).toEqual([]);
  });

  it("leaves inherited publications as they are", () => {
    expect(setSelection(grid, NOTHING_WANTED, selectCell({ row: 2, column: -1 }), false)).toEqual([]);
    expect(switchSelection(grid, NOTHING_WANTED, selectCell({ row: 2, column: 1 }))).toEqual([]);
  });

  it("is undone exactly", () => {
    const row = selectCell({ row: 0, column: -1 });
    const changes = switchSelection(grid, NOTHING_WANTED, row);
    expect(changes).toHaveLength(2);
    const after = applyChanges(grid, changes);
    expect(after.books[0]?.published).toBe("111");
    expect(applyChanges(after, undoChanges(changes))).toEqual(grid);
  });
});

describe("what is to be saved", () => {
  const publish = (bookId: string, channelId: string, isPublished = true) => ({
    bookId,
    channelId,
    isPublished,
  });

  it("is sent in batches, and what was changed again while a batch was sent stays", () => {
    const changes = changeWanted(NO_CHANGES, [publish("well", "news"), publish("moon", "app")]);
    const batch = takeBatch(changes, 1);
    expect(batch).toEqual([publish("well", "news")]);
    expect(takeBatch(endBatch(changes, batch))).toEqual([publish("moon", "app")]);
    const changedAgain = changeWanted(changes, [publish("well", "news", false)]);
    expect(takeBatch(endBatch(changedAgain, batch))).toContainEqual(publish("well", "news", false));
    expect(countWanted(endBatch(changes, takeBatch(changes)).wanted)).toBe(0);
  });

  it("doesn't wait behind a batch that was set aside, which stays", () => {
    const changes = changeWanted(NO_CHANGES, [publish("well", "news"), publish("moon", "app")]);
    const stopped = stopBatch(changes, takeBatch(changes));
    expect(takeBatch(stopped)).toEqual([]);
    expect(countWanted(stopped.wanted)).toBe(2);
    const more = changeWanted(stopped, [publish("star", "app")]);
    expect(takeBatch(more)).toEqual([publish("star", "app")]);
    expect(takeBatch({ ...more, stopped: NOTHING_WANTED })).toHaveLength(3);
  });

  it("is sent again once it is changed again, also while the batch failed that was set aside", () => {
    const changes = changeWanted(NO_CHANGES, [publish("well", "news"), publish("moon", "app")]);
    const batch = takeBatch(changes);
    const back = publish("well", "news", false);
    expect(takeBatch(changeWanted(stopBatch(changes, batch), [back]))).toEqual([back]);
    expect(takeBatch(stopBatch(changeWanted(changes, [back]), batch))).toEqual([back]);
    const twice = changeWanted(changeWanted(stopBatch(changes, batch), [back]), [publish("well", "news")]);
    expect(takeBatch(twice)).toEqual([publish("well", "news")]);
  });

  it("keeps the identity of books without a change", () => {
    const wanted = addWanted(NOTHING_WANTED, [publish("well", "news")]);
    const more = addWanted(wanted, [publish("moon", "app")]);
    expect(more.get("well")).toBe(wanted.get("well"));
    expect(applyChanges(grid, [publish("moon", "app")]).books[0]).toBe(grid.books[0]);
  });

  it("leaves out what the service named as wrong, and everything if it named nothing", () => {
    const batch = [publish("well", "news"), publish("gone", "app"), publish("moon", "app")];
    const { rejected, others } = splitRejected(batch, [{ path: "changes.1.bookId" }]);
    expect(rejected).toEqual([publish("gone", "app")]);
    expect(others).toHaveLength(2);
    expect(splitRejected(batch, [{ path: "languageCode" }]).others).toEqual([]);
  });
});

describe("the shown books", () => {
  const titles = (search: string, shown: Parameters<typeof filterBooks>[2]) =>
    filterBooks(grid.books, search, shown).map(({ bookId }) => bookId);

  it("are found by words of the title, without accents and capital letters", () => {
    expect(titles("WELL deep", "all")).toEqual(["well"]);
    expect(titles("", "all")).toEqual(["well", "moon", "star"]);
  });

  it("are found by their titles in the language and in English", () => {
    const inSpanish = { title: "El árbol", titleLanguageCode: "es" };
    const books = [
      ...grid.books,
      { ...inSpanish, bookId: "tree", titleEn: "Tree", published: "000", available: 1 },
    ];
    for (const search of ["arbol", "TREE", "el tree"])
      expect(
        filterBooks(books, search, "all").map(({ bookId }) => bookId),
        search,
      ).toEqual(["tree"]);
    expect(writeGrid({ channels, books: books.slice(3) })).toBe(
      "\uFEFFbookId,titleEn,title,available,site,news,app\r\ntree,Tree,El árbol,1,0,0,0\r\n",
    );
  });

  it("are those with a file on no channel, or those on a channel without a file", () => {
    expect(titles("", "gaps")).toEqual(["moon"]);
    expect(titles("", "withoutFile")).toEqual(["star"]);
  });

  it("are written as CSV with what isn't saved yet, and without formulas", () => {
    const wanted = addWanted(NOTHING_WANTED, [{ bookId: "moon", channelId: "app", isPublished: true }]);
    expect(writeGrid(grid, wanted)).toBe(
      "\uFEFFbookId,titleEn,title,available,site,news,app\r\n" +
        "well,The Déep Well,,1,1,0,0\r\n" +
        'moon,"\'=Moon, new",,1,0,0,1\r\n' +
        "star,Star,,0,0,1,0\r\n",
    );
  });
});

describe("which elements show the lines in sight", () => {
  const shown = (...pairs: [number, number][]) => pairs.map(([index, slot]) => ({ index, slot }));
  const former = showLines([], [0, 1, 2], true);

  it("gives each its own", () => {
    expect(former).toEqual(shown([0, 0], [1, 1], [2, 2]));
  });

  it("gives a line that comes the place and the elements of one that left", () => {
    expect(showLines(former, [1, 2, 3], false)).toEqual(shown([3, 0], [1, 1], [2, 2]));
    expect(showLines(former, [7, 8, 9], false)).toEqual(shown([7, 0], [8, 1], [9, 2]));
  });

  it("sorts them at rest, and each keeps its elements", () => {
    const scrolled = showLines(former, [1, 2, 3], false);
    expect(showLines(scrolled, [1, 2, 3], true)).toEqual(shown([1, 1], [2, 2], [3, 0]));
  });

  it("changes nothing while the same are shown", () => {
    expect(showLines(former, [0, 1, 2], false)).toBe(former);
    expect(showLines(former, [0, 1, 2], true)).toBe(former);
    const scrolled = showLines(former, [1, 2, 3], false);
    expect(showLines(scrolled, [1, 2, 3], false)).toBe(scrolled);
  });

  it("shows fewer and more", () => {
    expect(showLines(former, [2], true)).toEqual(shown([2, 2]));
    expect(showLines(former, [1, 2, 3, 4], false)).toEqual(shown([3, 0], [1, 1], [2, 2], [4, 3]));
  });
});
