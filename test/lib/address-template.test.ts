/** Templates of addresses: which are taken, and that no value leaves its place. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { addParameters, fillTemplate, isTemplate } from "../../src/lib/address-template.ts";

it.each([
  "https://www.example.org/books/{slug}",
  "http://localhost:8080/{language}/{slug}?from={channel}#top",
  "https://bücher.example/?book={slug}",
])("takes %s", (template) => {
  expect(isTemplate(template)).toBe(true);
});

it.each([
  ["no book", "https://www.example.org/books/{language}"],
  ["another scheme", "javascript:alert('{slug}')"],
  ["another scheme with slashes", "ftp://www.example.org/{slug}"],
  ["no scheme", "www.example.org/{slug}"],
  ["a user", "https://user:word@www.example.org/{slug}"],
  ["the book as its host", "https://{slug}.example.org/"],
  ["the book as its port", "https://www.example.org:{slug}/"],
  ["the book behind its host", "https://www.example.org{slug}"],
  ["an unknown place", "https://www.example.org/{slug}/{title}"],
  ["an open brace", "https://www.example.org/{slug}/{"],
  ["a line break", "https://www.example.org/\n{slug}"],
  ["a space", "https://www.example.org/a b/{slug}"],
  ["nothing", ""],
])("doesn't take one with %s", (_, template) => {
  expect(isTemplate(template)).toBe(false);
});

it("keeps each value in its place, with any signs in it", () => {
  const template = "https://www.example.org/{language}/{slug}/end?c={channel}&last=1";
  const value = fc
    .string({ unit: "grapheme", minLength: 1 })
    .filter((text) => text.isWellFormed() && !/^\.{1,2}$/.test(text));
  fc.assert(
    fc.property(value, value, value, (language, slug, channel) => {
      const url = new URL(fillTemplate(template, { language, slug, channel }));
      expect(url.origin).toBe("https://www.example.org");
      const [, ...parts] = url.pathname.split("/");
      expect(parts.map((part) => decodeURIComponent(part))).toEqual([language, slug, "end"]);
      expect([...url.searchParams]).toEqual([
        ["c", channel],
        ["last", "1"],
      ]);
      expect(url.href).toMatch(/^[!-~]+$/);
      expect(url.href).not.toMatch(/[<>"]/);
    }),
  );
});

it("adds parameters that the address doesn't have, before its fragment", () => {
  const more = [
    ["utm_source", "a b&c=\"<d>'"],
    ["utm_medium", null],
    ["utm_campaign", ""],
  ] as const;
  expect(addParameters("https://example.org/x#y", more)).toBe(
    "https://example.org/x?utm_source=a%20b%26c%3D%22%3Cd%3E%27#y",
  );
  expect(addParameters("https://example.org/?utm_source=own&z=%20", more)).toBe(
    "https://example.org/?utm_source=own&z=%20",
  );
  expect(addParameters("https://example.org/?z=1", [["utm_source", "ü"]])).toBe(
    "https://example.org/?z=1&utm_source=%C3%BC",
  );
});
