import { describe, expect, it } from "vitest";
import { judgeResponse } from "../../tools/cluster/probes.ts";
import { Findings } from "../../tools/recorder/checks/findings.ts";
import { Expected } from "../../tools/recorder/expected.ts";
import { Ledger, TookTooLong } from "../../tools/recorder/ledger.ts";

const KEY = "a form";

/** What a check finds of a thing that was written before, without a response if not told. */
function lossesAfter(
  actual: number | undefined,
  write: (expected: Expected<number>) => void,
): readonly string[] {
  const [expected, findings] = [new Expected<number>(), new Findings()];
  write(expected);
  findings.compare(KEY, expected, KEY, actual);
  return findings.losses;
}

describe("the comparison of a recorder", () => {
  const acknowledged = (expected: Expected<number>) => expected.begin(KEY, 1).settle();
  const rejected = (expected: Expected<number>) => expected.begin(KEY, 1).drop();
  const unanswered = (expected: Expected<number>) => void expected.begin(KEY, 1);

  it("reports a write that was acknowledged and is gone, or is there twice", () => {
    expect(lossesAfter(1, acknowledged)).toEqual([]);
    expect(lossesAfter(undefined, acknowledged)).toEqual(["a form is gone in place of 1"]);
    expect(lossesAfter(2, acknowledged)).toEqual(["a form is 2 in place of 1"]);
  });

  it("accepts a write without a response as done or not done, but not as done twice", () => {
    expect(lossesAfter(undefined, unanswered)).toEqual([]);
    expect(lossesAfter(1, unanswered)).toEqual([]);
    expect(lossesAfter(2, unanswered)).toEqual(["a form is 2 in place of nothing or 1"]);
  });

  it("reports a write that was rejected and is done", () => {
    expect(lossesAfter(undefined, rejected)).toEqual([]);
    expect(lossesAfter(1, rejected)).toEqual(["a form is 1 in place of nothing"]);
  });

  it("reports a write as done only after a check has not found it", () => {
    const [expected, findings] = [new Expected<number>(), new Findings()];
    unanswered(expected);
    findings.compare(KEY, expected, KEY, undefined);
    expect(findings.losses).toEqual([]);
    findings.compare(KEY, expected, KEY, 1);
    expect(findings.losses).toEqual(["a form is 1 in place of nothing"]);
  });

  it("requires the audit lines of exactly those changes that were done without a response", () => {
    const [expected, findings] = [new Expected<number>(), new Findings()];
    expected.begin("one", 1, "request 1");
    expected.begin("other", 1, "request 2");
    findings.compare("one", expected, "one", 1);
    findings.compare("other", expected, "other", undefined);
    expect([...findings.done]).toEqual([["request 1", 1]]);
  });
});

describe("saysOf", () => {
  const response = (status: number, body: unknown) => ({ status, bytes: Buffer.from(JSON.stringify(body)) });

  it("classifies a success as done", () => {
    expect(judgeResponse(response(200, { downloadUrl: "/" }))).toBe("done");
  });

  it("classifies an error as not done, unless the problem says that it may have been", () => {
    expect(judgeResponse(response(503, { code: "database_unavailable" }))).toBe("not done");
    expect(judgeResponse(response(503, { code: "database_unavailable", may_have_been_done: true }))).toBe(
      "unknown",
    );
  });
});

describe("a response that came too late to be a success", () => {
  const refused = (code: string, more: { may_have_been_done?: boolean; retry?: boolean } = {}) => ({
    status: 503,
    headers: new Headers(more.retry === false ? {} : { "retry-after": "5" }),
    bytes: Buffer.from(JSON.stringify({ code, may_have_been_done: more.may_have_been_done })),
  });

  it("is counted where it is accepted, and leaves under way what may have been done", () => {
    const ledger = new Ledger([]);
    const late = refused("database_unavailable");
    expect(ledger.isLate(late, "form")).toBe(false);
    ledger.acceptLate();
    expect(ledger.isLate(late, "form")).toBe(true);
    expect(() =>
      ledger.isLate(refused("database_unavailable", { may_have_been_done: true }), "form"),
    ).toThrow(TookTooLong);
    expect(ledger.late).toBe(2);
  });

  it("isn't one of another code, or without the time of another attempt", () => {
    const ledger = new Ledger([]);
    ledger.acceptLate();
    expect(ledger.isLate(refused("storage_unavailable"), "form")).toBe(false);
    expect(ledger.isLate(refused("database_unavailable", { retry: false }), "form")).toBe(false);
    expect(ledger.late).toBe(0);
  });
});
