/** Under which name the console shows a language. */
import { expect, it } from "vitest";
import { createLanguageNames } from "../../console/src/messages/language-names.ts";

it("shows the name in the language of the console, as the catalogue has that of CLDR", () => {
  const spanish = { code: "es", name: "Spanish" };
  expect(createLanguageNames("en")(spanish)).toBe("Spanish");
  expect(createLanguageNames("ar")(spanish)).toBe("الإسبانية");
});

it("shows a corrected name, in every language", () => {
  const corrected = { code: "es", name: "Castilian" };
  expect(createLanguageNames("en")(corrected)).toBe("Castilian");
  expect(createLanguageNames("ar")(corrected)).toBe("Castilian");
});

it("shows the catalogue's name of a language that CLDR doesn't have, or whose code it doesn't take", () => {
  const nameLanguage = createLanguageNames("ar");
  expect(nameLanguage({ code: "qaa", name: "Village speech" })).toBe("Village speech");
  expect(nameLanguage({ code: "not a code", name: "Village speech" })).toBe("Village speech");
});

it("shows the code where there is no name", () => {
  const nameLanguage = createLanguageNames("en");
  expect(nameLanguage({ code: "pt-BR" })).toBe("Brazilian Portuguese");
  expect(nameLanguage({ code: "qaa" })).toBe("qaa");
  expect(nameLanguage({ code: "not a code" })).toBe("not a code");
});
