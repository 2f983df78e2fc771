import { describe, expect, it } from "vitest";
import { CachedResponses, cachedJson } from "../../src/services/catalogue/catalogue-cache.ts";

describe("cachedJson", () => {
  it("is the bytes that go out, with a tag that is theirs alone", () => {
    const { bytes, etag } = cachedJson({ title: "بئر" });
    expect(bytes.toString()).toBe('{"title":"بئر"}');
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    expect(cachedJson({ title: "بئر" }).etag).toBe(etag);
    expect(cachedJson({ title: "بئ" }).etag).not.toBe(etag);
  });

  it("holds no more memory than its bytes, which is what a cache counts", () => {
    const { bytes } = cachedJson({ title: "بئر" });
    expect(bytes.buffer.byteLength).toBe(bytes.length);
  });
});

describe("CachedResponses", () => {
  it("composes what it doesn't hold, and gives the same bytes after that", async () => {
    const responses = new CachedResponses<string>({ maxBytes: 10_000 });
    let composed = 0;
    const compose = async () => `answer ${++composed}`;
    const first = await responses.of(1, "a", compose);
    expect(await responses.of(1, "a", compose)).toBe(first);
    await responses.of(1, "b", compose);
    expect(composed).toBe(2);
  });

  it("keeps nothing of a failure", async () => {
    const responses = new CachedResponses<string>({ maxBytes: 10_000 });
    const failure = responses.of(1, "a", () => Promise.reject(new Error("not yet")));
    await expect(failure).rejects.toThrow("not yet");
    expect((await responses.of(1, "a", async () => "now")).bytes.toString()).toBe('"now"');
  });

  it("evicts the least recently used response, also if responses are tiny", async () => {
    const responses = new CachedResponses<number>({ maxBytes: 10_000 });
    let composed = 0;
    const ask = (key: string) => responses.of(1, key, async () => ++composed);
    for (let key = 0; key < 100; key++) await ask(`key ${key}`);
    await ask("key 99");
    expect(composed).toBe(100);
    await ask("key 0");
    expect(composed).toBe(101);
  });
});
