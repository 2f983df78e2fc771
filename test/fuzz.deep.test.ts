/** The fuzz of the interface: a short run of it, and what its own checks find. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Checker } from "../tools/fuzz/check.ts";
import { Document } from "../tools/fuzz/document.ts";
import { formatFinding } from "../tools/fuzz/report.ts";
import { formatCurl } from "../tools/fuzz/requests/curl.ts";
import { runFuzz } from "../tools/fuzz/run.ts";
import { logErrors } from "../tools/fuzz/service/log.ts";
import type { Response } from "../tools/fuzz/service/send.ts";
import { Tally } from "../tools/fuzz/tally.ts";

const document = Document.read(join(import.meta.dirname, "../openapi.json"));

/** So many turns of every operation that a third of them is told from chance. */
const REQUESTS = document.operations.length * 60;
const TIME_LIMIT_MS = 1_500_000;

it(
  "gets only documented responses to requests of any kind",
  async () => {
    const { tally, service } = await runFuzz({ requests: REQUESTS, seed: 2 }, () => {});
    const seenFile = process.env.SEEN_STATUSES_FILE;
    if (seenFile !== undefined) appendFileSync(seenFile, tally.seen.map((seen) => `${seen}\n`).join(""));
    expect(tally.findings.map((found) => formatFinding(found).join("\n"))).toEqual([]);
    expect(service).toEqual([]);
    expect(tally.shortcomings).toEqual([]);
  },
  TIME_LIMIT_MS,
);

describe("the fuzzer reports a response", () => {
  const checker = new Checker(document);
  const headers = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
    "x-request-id": "0123456789",
    "content-security-policy": "default-src 'none'",
    "referrer-policy": "no-referrer",
  };
  const health = { status: "ok", timestamp: "2026-03-01T12:00:00.000Z" };
  const json = (status: number, value: unknown, more: Record<string, string> = {}): Response => {
    const body = Buffer.from(JSON.stringify(value));
    return {
      status,
      headers: { ...headers, "content-type": "application/json", ...more },
      length: body.length,
      body,
    };
  };
  const errors = (response: Response, target = "/api/health", method = "GET") =>
    checker.check({ method, target, headers: [], body: undefined, claimedLength: undefined }, response)
      .errors;

  it("unless it is as documented", () => {
    expect(errors(json(200, health))).toEqual([]);
  });

  it.each<[string, Response, RegExp]>([
    ["when the server failed", json(503, health), /the server failed/],
    ["with a status that isn't documented", json(201, health), /201 is not documented/],
    ["with a type that isn't documented", json(200, health, { "content-type": "text/html" }), /text\/html/],
    ["off its schema", json(200, { status: "ok" }), /timestamp/],
    ["with a time of another form", json(200, { ...health, timestamp: "2026-03-01 12:00" }), /date-time/],
    ["with a field that isn't documented", json(200, { ...health, secret: "x" }), /unevaluated properties/],
    ["that is no JSON", { ...json(200, health), body: Buffer.from("{") }, /not JSON/],
    ["without a security header", json(200, health, { "x-frame-options": "" }), /x-frame-options/],
    ["that says what runs here", json(200, health, { "x-powered-by": "Express" }), /x-powered-by/],
    ["that is cut off", json(200, health, { "content-length": "9999" }), /9999/],
  ])("%s", (_, response, error) => {
    expect(errors(response).join()).toMatch(error);
  });

  it.each([["\\u0000"], ["\\ud800"]])("if a text with %s was accepted", (piece) => {
    const body = Buffer.from(`{"name":"a${piece}"}`);
    const request = { method: "GET", target: "/api/health", headers: [], claimedLength: undefined };
    expect(checker.check({ ...request, body }, json(200, health)).errors.join()).toMatch(/can't be stored/);
    const results = [{ index: 0, status: "failed" }];
    for (const response of [json(400, {}), json(200, { results })])
      expect(checker.check({ ...request, body }, response).errors.join()).not.toMatch(/stored/);
  });

  it("if an unknown path or method succeeds", () => {
    expect(errors(json(200, {}), "/api/none")).not.toEqual([]);
    expect(errors(json(200, {}), "/api/health", "DELETE")).not.toEqual([]);
    expect(errors(json(404, {}), "/api/none").join()).toMatch(/problem\+json/);
  });
});

it.each<[string, string, RegExp | undefined]>([
  ["isn't a finding if it is JSON", '{"level":"info","msg":"request"}', undefined],
  ["is a finding if it isn't JSON", "Error: no", /isn't one/],
  ["is a finding if it reports an error", '{"level":"error","msg":"request"}', /has an error/],
  ["is a finding with an address of a person", '{"level":"info","msg":"a@example.org"}', /tells a secret/],
  ["is a finding with an API key", `{"level":"info","msg":"bds_${"x".repeat(40)}"}`, /tells a secret/],
  ["is a finding with the service's secret", '{"level":"info","msg":"own-secret"}', /tells a secret/],
])("a line of the log %s", (_, line, error) => {
  const errors = logErrors(line, "own-secret");
  if (error) expect(errors.join()).toMatch(error);
  else expect(errors).toEqual([]);
});

it("a run that calls an operation too rarely or misses a status reports shortcomings", () => {
  const tally = new Tally(document.operations.slice(0, 2));
  const [one] = document.operations;
  for (let count = 0; count < 10; count += 1) tally.add(one?.id ?? "", count < 2 ? 200 : 400);
  expect(tally.shortcomings).toContain("listPublishedBooks was accepted 2 times of 10");
  expect(tally.shortcomings).toContain("getPublishedBook was called 0 times of 10");
  expect(tally.shortcomings).toContain("listPublishedBooks 404 was never seen");
});

it("the fuzzer prints a request as a command that sends the same bytes", () => {
  const body = Buffer.from("it's \u00e9\0");
  const request = {
    method: "POST",
    target: "/a'b",
    headers: [["A", "b"] as const],
    body,
    claimedLength: undefined,
  };
  expect(formatCurl("http://h", request)).toBe(
    "curl -i --path-as-is --globoff -X 'POST' -H 'A: b' --data-binary $'it\\x27s \\xc3\\xa9\\x00' 'http://h/a'\\''b'",
  );
});
