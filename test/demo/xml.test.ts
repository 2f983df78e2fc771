import { describe, expect, it } from "vitest";
import { elementsOf } from "./xml.ts";

describe("the well-formedness check of these tests", () => {
  it("reads elements and attributes", () => {
    const elements = elementsOf('<?xml version="1.0" encoding="UTF-8"?>\n<a x="1"><b:c/>t &amp; u</a>\n');
    expect(elements.map(({ name }) => name)).toEqual(["a", "b:c"]);
    expect(elements[0]?.attributes.get("x")).toBe("1");
  });

  it.each([
    ["crossing tags", "<a><b></a></b>"],
    ["an open tag", "<a><b></b>"],
    ["a second root", "<a></a><b></b>"],
    ["text outside", "<a></a>text"],
    ["a bare ampersand", "<a>one & two</a>"],
    ["a bare less-than", "<a>1 < 2</a>"],
    ["an unquoted attribute", "<a b=c></a>"],
    ["an attribute twice", '<a b="1" b="2"></a>'],
    ["an ampersand in an attribute", '<a b="1&2"></a>'],
    ["nothing", ""],
  ])("refuses %s", (_, xml) => {
    expect(() => elementsOf(xml)).toThrow();
  });
});
