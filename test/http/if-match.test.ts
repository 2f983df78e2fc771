/** The header If-Match. What operations do with it is in test/api/versions.slow.test.ts. */
import { expect, it } from "vitest";
import { parseIfMatch } from "../../src/http/requests/if-match.ts";
import { measureWork } from "../support/own-work.ts";

const BLANKS = " \t".repeat(50_000);

it("has tags between any blanks", () => {
  expect(parseIfMatch(`${BLANKS}"a"${BLANKS},${BLANKS},"b"${BLANKS}`)).toEqual(["a", "b"]);
});

it.each([
  `"a",${BLANKS}x`,
  `"a"${BLANKS}x`,
  `${BLANKS}"a${BLANKS}`,
  `${BLANKS}"a"${BLANKS}"b"`,
  `,${BLANKS}`,
])("is rejected in linear time", (header) => {
  const took = measureWork(() => expect(() => parseIfMatch(header)).toThrow("If-Match must be"));
  expect(took).toBeLessThan(1000);
});

it.each([
  ['W/"v"', ["v"]],
  ['"v-gzip"', ["v-gzip", "v"]],
  ['"v--gzip"', ["v--gzip", "v", "v-"]],
  ['W/"v;gzip"', ["v;gzip", "v"]],
  ['W/"v-br", "w-zstd"', ["v-br", "v", "w-zstd", "w"]],
  ['"v-gzip-x"', ["v-gzip-x"]],
])("has the tags of proxies that compress: %s", (header, tags) => {
  expect(parseIfMatch(header)).toEqual(tags);
});

it.each(['w/"v"', "W/v", 'W/ "v"', "W/*", "W/"])("is rejected: %s", (header) => {
  expect(() => parseIfMatch(header)).toThrow("If-Match must be");
});
