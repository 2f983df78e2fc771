/** What a form knows between its saves, and what follows when someone else has saved the same record. */
import { describe, expect, it } from "vitest";
import { joinChanges } from "../../console/src/forms/join-changes.ts";
import {
  changeSave,
  type SaveEvent,
  type SaveState,
  type Stored,
  settle,
  startSave,
  takesOver,
} from "../../console/src/forms/save-state.ts";

type Fields = { title: string; tags: string[] };

const fields = (title: string, ...tags: string[]): Fields => ({ title, tags });
const stored = (version: string | undefined, title = "Well", ...tags: string[]): Stored<Fields> => ({
  version,
  fields: fields(title, ...tags),
});

const FIRST = stored("1");

const after = (...events: SaveEvent<Fields>[]): SaveState<Fields> =>
  events.reduce<SaveState<Fields>>(changeSave, startSave(FIRST));

describe("changeSave", () => {
  it("begins anew with what was saved, and forgets the attempt and the other change", () => {
    const asked: SaveEvent<Fields> = {
      type: "asked",
      before: FIRST,
      theirs: { ...stored("2", "Theirs"), change: undefined },
    };
    const now = stored("3", "Mine");
    const state = after({ type: "began" }, { type: "lost", fields: fields("Mine") }, asked);
    expect(state).toMatchObject({ isStoring: true, sent: { title: "Mine" }, theirs: { version: "2" } });
    const saved = changeSave(changeSave(state, { type: "restarted", now, isSaved: true }), { type: "ended" });
    expect(saved).toEqual({ ...startSave(now), shown: "1", isOutdated: true });
  });

  it("changes nothing where an event says nothing new", () => {
    const state = startSave(FIRST);
    expect(changeSave(state, { type: "read", version: "1" })).toBe(state);
    expect(changeSave(state, { type: "ended" })).toBe(state);
  });
});

describe("takesOver", () => {
  const read = (version: string): SaveEvent<Fields> => ({ type: "read", version });
  const saved: SaveEvent<Fields> = { type: "restarted", now: stored("2"), isSaved: true };

  it.each<[what: string, events: SaveEvent<Fields>[], version: string, isDirty: boolean, expected: boolean]>([
    ["another version", [read("2")], "2", false, true],
    ["the same version", [read("1")], "1", false, false],
    ["another version while something is typed", [read("2")], "2", true, false],
    ["another version during a save", [{ type: "began" }, read("2")], "2", false, false],
    ["the page's own version before it has read the save", [saved, read("1")], "1", false, false],
    ["what someone else saves after it", [saved, read("3")], "3", false, true],
    ["what was saved", [saved, read("2")], "2", false, false],
    ["another version after the saved one was read", [saved, read("2"), read("3")], "3", false, true],
    [
      "another version after one was taken over before the save was read",
      [saved, { type: "restarted", now: stored("4"), isSaved: false }, read("1")],
      "1",
      false,
      false,
    ],
  ])("%s", (_, events, version, isDirty, expected) => {
    expect(takesOver(after(...events), version, isDirty)).toBe(expected);
  });
});

describe("settle", () => {
  const rejected = (title: string, sent?: Fields) => ({ fields: fields(title), from: FIRST, sent });

  it("stores again where others changed nothing that the form shows, or to the same", () => {
    expect(settle(rejected("Mine"), stored("2"))).toEqual({ type: "store", fields: fields("Mine") });
    const own = { fields: fields("Mine", "a"), from: FIRST, sent: undefined };
    expect(settle(own, stored("2", "Well", "a"))).toEqual({ type: "store", fields: fields("Mine", "a") });
  });

  it("is done where everything is stored, also by an attempt whose response was lost", () => {
    expect(settle(rejected("Mine"), stored("2", "Mine"))).toEqual({ type: "saved" });
    expect(settle(rejected(" Mine ", fields(" Mine ")), stored("2", "Mine"))).toEqual({ type: "saved" });
  });

  it("asks about what others changed, and not about what a lost attempt saved", () => {
    expect(settle(rejected("Mine"), stored("2", "Theirs"))).toEqual({ type: "ask", before: FIRST });
    const lost = settle(rejected("Mine", fields("Mine")), stored("2", "Mine", "theirs"));
    expect(lost).toEqual({ type: "ask", before: stored("1", "Mine") });
    const typedSince = settle(rejected("Mine, later", fields("Mine")), stored("2", "Mine"));
    expect(typedSince).toEqual({ type: "store", fields: fields("Mine, later") });
  });
});

it("joinChanges takes what the other changed, keeps what was typed, and names what both changed", () => {
  const join = (typed: Fields, saved: Fields) => joinChanges(FIRST.fields, typed, saved);
  const different = join(fields("Mine"), fields("Well", "theirs"));
  expect(different).toEqual({ values: fields("Mine", "theirs"), conflicts: [] });
  expect(join(fields("Mine"), fields("Theirs"))).toEqual({ values: fields("Mine"), conflicts: ["title"] });
  expect(join(fields("Same"), fields("Same"))).toEqual({ values: fields("Same"), conflicts: [] });
});
