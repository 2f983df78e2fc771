import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { PasswordHasher } from "../../src/adapters/password-hasher.ts";

const PASSWORD = "correct horse battery";

describe("a password's hash", () => {
  it("is argon2id with the parameters that OWASP recommends, and its own salt", async () => {
    const hasher = new PasswordHasher();
    const [first, second] = await Promise.all([hasher.hash(PASSWORD), hasher.hash(PASSWORD)]);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(second).not.toBe(first);
    expect(await hasher.verify(PASSWORD, first)).toBe(true);
    expect(await hasher.verify(PASSWORD, second)).toBe(true);
  });

  it("matches that password only", async () => {
    const hasher = new PasswordHasher();
    const hash = await hasher.hash("pässwörd with 中文");
    expect(await hasher.verify("pässwörd with 中文", hash)).toBe(true);
    for (const other of ["", "Pässwörd with 中文", "pässwörd with 中文 ", "pa\u0308sswo\u0308rd with 中文"]) {
      expect(await hasher.verify(other, hash)).toBe(false);
    }
  });
});

describe("without an account", () => {
  it("no password matches", async () => {
    const hasher = new PasswordHasher();
    for (const password of ["", PASSWORD, "no such account"]) {
      expect(await hasher.verify(password, undefined)).toBe(false);
    }
  });

  it("verification takes as long as with one, from the first time on", async () => {
    const hash = await new PasswordHasher().hash(PASSWORD);
    const timeOf = async (stored: string | undefined) => {
      const start = performance.now();
      await new PasswordHasher().verify("wrong", stored);
      return performance.now() - start;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    for (let round = 0; round < 15; round++) {
      known.push(await timeOf(hash));
      unknown.push(await timeOf(undefined));
    }
    const ratio = median(unknown) / median(known);
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });
});

describe("a hundred concurrent log-ins", () => {
  it("are rejected except for a few that are queued", async () => {
    const hasher = new PasswordHasher();
    const hash = await hasher.hash(PASSWORD);
    const responses = await Promise.allSettled(
      Array.from({ length: 100 }, () => hasher.verify(PASSWORD, hash)),
    );
    const rejected = responses.filter((response) => response.status === "rejected");
    expect(rejected).toHaveLength(78);
    for (const { reason } of rejected) {
      expect(reason).toMatchObject({ status: 503, code: "login_busy", headers: { "Retry-After": "2" } });
    }
    expect(responses.filter((response) => response.status === "fulfilled" && response.value)).toHaveLength(
      22,
    );
    expect(await hasher.verify(PASSWORD, hash)).toBe(true);
  });

  it("leave threads for reading files", async () => {
    const hasher = new PasswordHasher();
    let done = 0;
    const hashes = Array.from({ length: 20 }, () => hasher.hash(PASSWORD).then(() => (done += 1)));
    await readFile(import.meta.filename);
    const doneBeforeTheFile = done;
    await Promise.all(hashes);
    // With all of them at Node's four threads, the file would have waited for nearly all.
    expect(doneBeforeTheFile).toBeLessThan(10);
  });

  it("don't block later ones when they fail", async () => {
    const hasher = new PasswordHasher();
    const broken = await Promise.allSettled(
      Array.from({ length: 10 }, () => hasher.verify(PASSWORD, "no hash")),
    );
    expect(broken.map(({ status }) => status)).toEqual(Array(10).fill("rejected"));
    const hash = await hasher.hash(PASSWORD);
    const good = Array.from({ length: 5 }, () => hasher.verify(PASSWORD, hash));
    expect(await Promise.all(good)).toEqual(Array(5).fill(true));
  });
});

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
