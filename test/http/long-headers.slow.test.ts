/** Headers with thousands of parts: each is looked at once, and too many are refused. */
import express from "express";
import { expect, it } from "vitest";
import { readAccepted } from "../../src/http/requests/headers.ts";
import { chooseCoverType } from "../../src/services/covers/cover-variants.ts";
import { startApp } from "../support/app.ts";
import { formatGet, sendRaw } from "../support/raw-http.ts";

const MAX_PARTS = 200;

const lists: Readonly<Record<string, (parts: number) => string>> = {
  Accept: (parts) => Array(parts).fill("*/*").join(","),
  "Accept-Language": (parts) => Array(parts).fill("en").join(","),
  "Accept-Encoding": (parts) => Array(parts).fill("gzip").join(", "),
  Cookie: (parts) => Array(parts).fill("a=b").join("; "),
  "If-Match": (parts) => ["*", ...Array(parts - 1).fill('"a"')].join(","),
  "If-None-Match": (parts) => Array(parts).fill('"a"').join(","),
  Range: (parts) => `bytes=${Array(parts).fill("0-0").join(",")}`,
  "X-Forwarded-For": (parts) => Array(parts).fill("192.0.2.1").join(", "),
};

it.each(Object.keys(lists))("rejects more than 200 parts in %s, in one line or in many", async (name) => {
  const app = await startApp({ TRUST_PROXY: "1" });
  const { book } = await app.make.published("The Well", "en", "text");
  const statusOf = async (values: readonly string[]) => {
    const headers = values.map((value) => `${name}: ${value}`);
    return (await sendRaw(app.server, formatGet(`/api/books/${book.slug}/cover?width=160`, headers))).status;
  };
  const write = (parts: number) => lists[name]?.(parts) ?? "";
  expect([200, 412]).toContain(await statusOf([write(MAX_PARTS)]));
  expect(await statusOf([write(MAX_PARTS + 1)])).toBe(431);
  expect(await statusOf([write(150), write(150)])).toBe(431);
});

it.each(["If-Match", "If-None-Match"])(
  "rejects more than 200 tags in %s, also without commas",
  async (name) => {
    const app = await startApp();
    await app.make.language("en");
    const statusOf = async (value: string) =>
      (await sendRaw(app.server, formatGet("/api/books", [`${name}: ${value}`]))).status;
    expect([200, 412]).toContain(await statusOf('""'.repeat(MAX_PARTS)));
    expect(await statusOf('""'.repeat(MAX_PARTS + 1))).toBe(431);
    expect(await statusOf('"'.repeat(15_000))).toBe(431);
    expect(await statusOf('W/"'.repeat(5000))).toBe(431);
  },
);

it("parses Accept a bounded number of times for one cover, regardless of its length", () => {
  const readsFor = (accept: string): number => {
    let reads = 0;
    const headers = {
      get accept() {
        reads += 1;
        return accept;
      },
    };
    const req = Object.create(express.request, { headers: { value: headers } });
    const res = Object.create(express.response, { vary: { value: () => res } });
    chooseCoverType("image/png", readAccepted(req, res));
    return reads;
  };
  for (const part of ["*/*,", "image/*,", "image/png,"])
    expect(readsFor(`image/png;q=0,${part.repeat(MAX_PARTS - 2)}`)).toBe(readsFor(`image/png;q=0,${part}`));
});
