/** Names of languages in a catalogue match in any case: each row can spell one in another way. */
import { expect, it } from "vitest";
import type { Remark } from "../../src/operation/transfer/remarks.ts";
import { createNameReplacer } from "../../src/operation/transfer/written-language.ts";

const LETTERS = [..."portuguese"];
const SPELLINGS = 2 ** LETTERS.length;

/** The letters whose bits are set are capital. */
const spell = (bits: number): string =>
  LETTERS.map((letter, index) => (bits & (1 << index) ? letter.toUpperCase() : letter)).join("");

it("each spelling of a language is replaced and mentioned once, without comparing it with all others", () => {
  let reads = 0;
  const remarks: Remark[] = [];
  const watched = new Proxy(remarks, {
    get(target, key) {
      reads += 1;
      return Reflect.get(target, key);
    },
  });
  const replaceName = createNameReplacer(watched);
  const codes = new Set<string>();
  for (let bits = 0; bits < SPELLINGS; bits += 1) codes.add(replaceName(spell(bits)));
  expect([...codes, replaceName(spell(1))]).toEqual(["pt", "pt"]);
  expect(remarks).toHaveLength(SPELLINGS);
  expect(reads).toBeLessThan(10 * SPELLINGS);
});
