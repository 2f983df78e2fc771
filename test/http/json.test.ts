/** JSON bodies: parsed as JSON.parse does, but strictly and within bounds. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { parseJson } from "../../src/http/requests/json.ts";

const parse = (text: string) => parseJson(Buffer.from(text));

it("reads every value as JSON.parse does", async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 20 }), fc.boolean(), async (value, isSpaced) => {
      const text = JSON.stringify(value, null, isSpaced ? "\t" : 0);
      expect(await parse(text)).toEqual(JSON.parse(text));
    }),
  );
});

it("accepts the same name in different objects, and in strings", async () => {
  const text = '[{"a":{"a":"a"}},{"a":["a","a:",{"a":1}],"b":{"a":1},"c":"{\\"a\\":1,\\"a\\":2}"}]';
  expect(await parse(text)).toEqual(JSON.parse(text));
});

it.each([
  '{"a":1,"a":1}',
  '{"a" : 1,\n"a"\t: 2}',
  '{"":1,"":2}',
  '{"a":{"b":1},"c":[{"d":[1,{"e":1,"e":1}]}]}',
  '{"\\u0061":1,"a":2}',
  '{"\\"":1,"\\u0022":2}',
  '{"__proto__":1,"__proto__":2}',
])("rejects a repeated name: %s", async (text) => {
  await expect(parse(text)).rejects.toThrow("It repeats the name");
});

it("accepts 32 levels and no more", async () => {
  expect(await parse("[".repeat(32) + "]".repeat(32))).toHaveLength(1);
  await expect(parse("[".repeat(33) + "]".repeat(33))).rejects.toThrow("It is nested too deeply.");
});

it("accepts a hundred thousand values and no more, before it creates any of them", async () => {
  const list = (values: number) =>
    `[${Array(values - 1)
      .fill("1")
      .join(",")}]`;
  expect(await parse(list(100_000))).toHaveLength(99_999);
  const tooLarge = expect.objectContaining({ status: 413, code: "body_too_large" });
  for (const text of [list(100_001), `{"a":${list(100_000)}}`, ",".repeat(100_001)])
    await expect(parse(text)).rejects.toThrow(tooLarge);
});

it("takes no longer for hostile texts than for others", async () => {
  const hostile = [`"${'\\"'.repeat(500_000)}`, '"'.repeat(999_999), `["${'a" '.repeat(300_001)}`];
  for (const text of hostile) await expect(parse(text)).rejects.toThrow("The body is not valid JSON.");
  expect(await parse(`["${'\\"'.repeat(500_000)}"]`)).toEqual(['"'.repeat(500_000)]);
});
