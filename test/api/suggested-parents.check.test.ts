/** What is suggested when a language is created: a parent by its code, and the code for a name. */
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";

const LANGUAGES = "/api/admin/languages";

interface Listed {
  id: number;
  code: string;
  suggestedParentId: number | null;
}

async function start(...codes: string[]) {
  const { app, client, make } = await startWithAdmin();
  for (const code of codes) await make.language(code);
  const list = async (): Promise<Listed[]> => (await client.get(LANGUAGES)).body.languages;
  const codeOf = async (id: number | null) => (await list()).find((each) => each.id === id)?.code;
  /** The code of the language that is suggested as the parent of a new one. */
  const suggestFor = async (code: string) =>
    codeOf((await client.post(LANGUAGES, { code })).body.suggestedParentId);
  return { ...app, client, make, list, suggestFor };
}

describe("the suggested parent of a new language", () => {
  it.each([
    ["es-MX", "es"],
    ["fr-CA", "fr"],
    ["pt-BR", "pt"],
    ["sr-Latn", "sr"],
    ["sr-Latn-RS", "sr"],
    ["ca-valencia", "ca"],
    ["en-x-simple", "en"],
    ["zh-Hant", "zh"],
    ["zh-TW", "zh"],
  ])("is for %s the language %s", async (code, parent) => {
    const { suggestFor } = await start(parent);
    expect(await suggestFor(code)).toBe(parent);
  });

  it("is the nearest one, by the script that the code implies", async () => {
    const { suggestFor } = await start("zh", "zh-Hant");
    expect(await suggestFor("zh-TW")).toBe("zh-Hant");
    expect(await suggestFor("zh-SG")).toBe("zh");
  });

  it.each([
    ["es", "pt"],
    ["es", "es-MX"],
    ["nb-NO", "no"],
    ["zz-ZZ", "es"],
  ])("is none for %s where there is only %s", async (code, other) => {
    const { suggestFor } = await start(other);
    expect(await suggestFor(code)).toBeUndefined();
  });

  it("can itself not be a sub-language", async () => {
    const { client, make, suggestFor } = await start("zh");
    const [chinese] = (await client.get(LANGUAGES)).body.languages;
    await make.language("zh-Hant", { parentId: chinese.id });
    expect(await suggestFor("zh-TW")).toBe("zh");
  });

  it("isn't set by itself, and can be set by an update", async () => {
    const { client } = await start("es");
    const { body, headers } = await client.post(LANGUAGES, { code: "es-MX" });
    expect(body).toMatchObject({ parentId: null, suggestedParentId: expect.any(Number) });
    expect(headers.etag).toBe(`"${body.version}"`);
    const { status } = await client.patch(`${LANGUAGES}/${body.id}`, { parentId: body.suggestedParentId });
    expect(status).toBe(200);
  });
});

it("is suggested in the list until a language has a parent, or sub-languages", async () => {
  const { client, list } = await start("es", "es-MX", "es-419");
  const of = async (code: string) => (await list()).find((each) => each.code === code);
  const spanish = await of("es");
  expect((await of("es-MX"))?.suggestedParentId).toBe(spanish?.id);
  expect(spanish?.suggestedParentId).toBeNull();
  const mexican = await of("es-MX");
  await client.patch(`${LANGUAGES}/${mexican?.id}`, { parentId: spanish?.id });
  expect((await of("es-MX"))?.suggestedParentId).toBeNull();
  await client.patch(`${LANGUAGES}/${mexican?.id}`, { parentId: (await of("es-419"))?.id });
  expect((await of("es-419"))?.suggestedParentId).toBeNull();
});

describe("a name in place of a code", () => {
  it.each([
    ["French", "fr", "French"],
    ["  fRENCH ", "fr", "French"],
    ["français", "fr", "français"],
    ["Español", "es", "español"],
    ["العربية", "ar", "العربية"],
    ["Kiswahili", "sw", "Kiswahili"],
    ["Brazilian Portuguese", "pt-BR", "Brazilian Portuguese"],
    ["Portuguese (Brazil)", "pt-BR", "Portuguese (Brazil)"],
    ["Turkisch", "tr", "Turkish"],
  ])("is an error that suggests the code: %s", async (typed, code, name) => {
    const { client, list } = await start();
    const { status, body } = await client.post(LANGUAGES, { code: typed });
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      {
        in: "body",
        path: "code",
        code: "invalid_language_code",
        message: `must be a BCP 47 language code, such as en or pt-BR (did you mean ${code} (${name})?)`,
        suggestion: code,
      },
    ]);
    expect(await list()).toEqual([]);
  });

  it.each(["", "qwrtzp", "x-private", "en_US", "12345"])("suggests nothing for %s", async (code) => {
    const { client } = await start();
    const { body } = await client.post(LANGUAGES, { code });
    expect(body.errors).toMatchObject([{ code: "invalid_language_code" }]);
    expect(body.errors[0]).not.toHaveProperty("suggestion");
  });
});
