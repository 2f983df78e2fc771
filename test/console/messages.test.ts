/** Numbers in texts are those of the language, as Intl writes them. */
import { expect, it } from "vitest";
import { ar } from "../../console/src/messages/ar.ts";
import { en } from "../../console/src/messages/en.ts";

it("writes thousands as the language does", () => {
  expect(en.pages.of(1, 20_000)).toBe("Page 1 of 20,000");
  expect(ar.pages.of(1, 20_000)).toContain(new Intl.NumberFormat("ar").format(20_000));
});
