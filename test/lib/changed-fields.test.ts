import { describe, expect, it } from "vitest";
import { changedFields } from "../../src/repositories/change.ts";

const plain = { masked: [], hidden: [] };

describe("what differs between two objects", () => {
  it("is reported field by field, with both values", () => {
    const before = { title: "Well", sortOrder: 1, url: null, same: [1, { a: 1 }] };
    const after = { title: "The Well", sortOrder: 1, url: "https://x.example", same: [1, { a: 1 }] };
    expect(changedFields({ before, after }, plain)).toEqual({
      title: { before: "Well", after: "The Well" },
      url: { before: null, after: "https://x.example" },
    });
  });

  it("has one side only for what is new or gone", () => {
    const object = { title: "Well", url: null };
    const side = (name: string) => ({ title: { [name]: "Well" }, url: { [name]: null } });
    expect(changedFields({ after: object }, plain)).toEqual(side("after"));
    expect(changedFields({ before: object }, plain)).toEqual(side("before"));
    expect(changedFields({ before: { a: 1 }, after: { b: 2 } }, plain)).toEqual({
      a: { before: 1 },
      b: { after: 2 },
    });
  });

  it("is nothing where nothing differs", () => {
    expect(changedFields({ before: { a: 1, b: [] }, after: { b: [], a: 1 } }, plain)).toEqual({});
    expect(changedFields({}, plain)).toEqual({});
  });

  it("masks secrets, but shows that they are set", () => {
    const options = { masked: ["hash", "pin"], hidden: [] };
    const [before, after] = [
      { hash: "old", pin: null },
      { hash: "new", pin: "1234" },
    ];
    expect(changedFields({ before, after }, options)).toEqual({
      hash: { before: "[masked]", after: "[masked]" },
      pin: { before: null, after: "[masked]" },
    });
    expect(changedFields({ before, after: before }, options)).toEqual({});
  });

  it("leaves out what is hidden", () => {
    const options = { masked: [], hidden: ["updatedAt"] };
    expect(changedFields({ before: { updatedAt: 1 }, after: { updatedAt: 2 } }, options)).toEqual({});
  });

  it("keeps the longest text whole, and cuts what is longer", () => {
    const longest = "क".repeat(10_000);
    expect(changedFields({ after: { longest } }, plain)).toEqual({ longest: { after: longest } });
    const list = Array.from({ length: 10_000 }, (_, index) => `book-${index}`);
    const { slugs } = changedFields({ after: { slugs: list } }, plain);
    expect(slugs?.after).toMatch(/^\["book-0","book-1",.*… \(\d+ characters\)$/);
    expect(String(slugs?.after).length).toBeLessThan(10_050);
  });

  it("cuts no character in two", () => {
    const { text } = changedFields({ after: { text: `a${"🪣".repeat(10_000)}` } }, plain);
    expect(String(text?.after).isWellFormed()).toBe(true);
  });
});
