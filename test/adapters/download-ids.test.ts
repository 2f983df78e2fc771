/** Numbers of downloads as links carry them. */
import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { DownloadIds } from "../../src/adapters/tokens.ts";

const newIds = () => new DownloadIds({ secret: randomBytes(48).toString("base64") });

it("download ids are decoded to the same number, and encoded the same way each time", () => {
  const ids = newIds();
  for (const id of [0, 1, 401, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
    const sealed = ids.seal(id);
    expect(sealed).toMatch(/^[\w-]{22}$/);
    expect(ids.seal(id)).toBe(sealed);
    expect(ids.open(sealed)).toBe(id);
  }
});

it("download ids don't reveal their number: neighbours differ in half of their bits", () => {
  const ids = newIds();
  const bits = (id: number) =>
    [...Buffer.from(ids.seal(id), "base64url")].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  for (let id = 1; id < 200; id++) {
    const [one, next] = [bits(id), bits(id + 1)];
    const different = [...one].filter((bit, index) => bit !== next[index]).length;
    expect(different).toBeGreaterThan(32);
  }
});

it("download ids are rejected if they are another service's, made up, or spelt in another way", () => {
  const ids = newIds();
  const sealed = ids.seal(1);
  const others = [newIds().seal(1), randomBytes(16).toString("base64url"), "A".repeat(22)];
  const spelt = [
    `${sealed}=`,
    ` ${sealed}`,
    `${sealed}A`,
    sealed.slice(1),
    "",
    "1",
    "0x1",
    "1e0",
    "é".repeat(22),
  ];
  // The last character of 22 holds four bits: others would be read as the same bytes.
  const last = sealed.at(-1) ?? "";
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const twin = `${sealed.slice(0, -1)}${alphabet[alphabet.indexOf(last) + 1]}`;
  for (const text of [...others, ...spelt, twin]) expect(ids.open(text), text).toBeUndefined();
});
