/** The shape of API keys and their checksum. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { apiKeyChecksum, hasApiKeyShape } from "../../src/services/users/api-keys.service.ts";

const randomPart = fc.stringMatching(/^[0-9A-Za-z]{40}$/);
const keyOf = (random: string): string => `bds_${random}${apiKeyChecksum(random)}`;

describe("apiKeyChecksum", () => {
  it("is the CRC-32 in 6 base62 characters", () => {
    // CRC-32 of "123456789" is 0xCBF43926 = 3421780262, the check value of the algorithm's catalogue entry.
    const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const value = [...apiKeyChecksum("123456789")].reduce(
      (sum, digit) => sum * 62 + digits.indexOf(digit),
      0,
    );
    expect(value).toBe(0xcbf43926);
    expect(apiKeyChecksum("123456789")).toHaveLength(6);
  });

  it("is padded with 0 on the left", () => {
    expect(apiKeyChecksum("")).toBe("000000");
  });
});

describe("hasApiKeyShape", () => {
  it("accepts every key with the right checksum", () => {
    fc.assert(
      fc.property(randomPart, (random) => {
        expect(hasApiKeyShape(keyOf(random))).toBe(true);
      }),
    );
  });

  it("rejects a key with any one character changed", () => {
    const place = fc.integer({ min: 0, max: 49 });
    const character = fc.stringMatching(/^[0-9A-Za-z]$/);
    fc.assert(
      fc.property(randomPart, place, character, (random, at, replacement) => {
        const key = keyOf(random);
        fc.pre(key[at] !== replacement);
        expect(hasApiKeyShape(key.slice(0, at) + replacement + key.slice(at + 1))).toBe(false);
      }),
    );
  });

  it.each([
    ["nothing", ""],
    ["only the prefix", "bds_"],
    ["a key in the middle of text", ` ${keyOf("a".repeat(40))}`],
    ["a line break at the end", `${keyOf("a".repeat(40))}\n`],
    ["another prefix", keyOf("a".repeat(40)).replace("bds_", "bdt_")],
    ["39 random characters", keyOf("a".repeat(39))],
    ["a letter that isn't base62", keyOf(`${"a".repeat(39)}é`)],
  ])("rejects %s", (_, key) => {
    expect(hasApiKeyShape(key)).toBe(false);
  });
});
