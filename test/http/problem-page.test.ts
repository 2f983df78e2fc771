/** A problem as a page for readers. */
import { expect, it } from "vitest";
import { renderProblemPage as render } from "../../src/http/responses/problem-page.ts";
import { choosePageLanguage, createPageLanguages } from "../../src/library/page-languages.ts";
import { PLAIN_LOOK } from "../../src/library/shell.ts";
import type { Problem } from "../../src/schemas/problem.schemas.ts";
import { PAGE_FILES, TEXTS } from "../support/page-texts.ts";

const problem = (status: number, code: string, more: Partial<Problem> = {}): Problem => ({
  type: "",
  title: "Gone",
  status,
  detail: "Detail",
  instance: "/",
  code,
  error: "Detail",
  requestId: "01a1fb60",
  ...more,
});
const shipped = createPageLanguages(PAGE_FILES);
type Options = Parameters<typeof render>[1];
const renderProblemPage = (given: Problem, options: Partial<Options> & Pick<Options, "language">) =>
  render(given, { look: PLAIN_LOOK, root: "../", ...options });
const english = choosePageLanguage(["en"], shipped);

it("escapes every text, regardless of its characters", () => {
  const hostile = `<script>alert("1")</script> & 'x'`;
  const page = renderProblemPage(problem(404, "x", { title: hostile, detail: hostile, requestId: hostile }), {
    language: english,
    look: { stylePath: hostile, logoPath: hostile, name: { text: hostile, code: "en", direction: "ltr" } },
    back: { url: hostile, home: hostile, isLibrary: false },
  });
  const escaped = "&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62; &#38; &#39;x&#39;";
  expect(page.split(escaped)).toHaveLength(7);
  expect(page).not.toContain("<script");
});

it("has a heading for people, and no status or phrase of HTTP", () => {
  const headingOf = (status: number, code: string) =>
    /<h1>(.*)<\/h1>/.exec(renderProblemPage(problem(status, code), { language: english }))?.[1];
  expect(headingOf(410, "download_token_expired")).toBe("This link has expired");
  expect(headingOf(404, "download_token_unknown")).toBe("This link does not work");
  expect(headingOf(404, "file_unavailable")).toBe("This book is not available");
  expect(headingOf(429, "too_many_requests")).toBe("Please wait a moment");
  expect(headingOf(503, "archive_busy")).toBe("Please wait a moment");
  expect(headingOf(400, "invalid_input")).toBe("Please check your entries");
  expect(headingOf(403, "foreign_origin")).toBe("This form is not accepted");
  expect(headingOf(500, "server_error")).toBe("Something went wrong");
  const page = renderProblemPage(problem(410, "download_token_expired"), { language: english });
  expect(page).not.toMatch(/410|Gone|Detail/);
  expect(page).not.toContain("<a ");
});

it("lists the errors that a reader can correct, each once", () => {
  const errors = ["email", "firstName", "email", "languageCode", "slug"].map((path) => ({
    in: "body" as const,
    path,
    message: "m",
    code: "c",
  }));
  const page = renderProblemPage(problem(400, "invalid_input", { errors }), { language: english });
  expect(page.match(/<li>.*<\/li>/g)).toEqual([
    "<li>The e-mail address is missing or not valid.</li>",
    "<li>The first name is missing.</li>",
    "<li>Some other entry is missing or not valid.</li>",
  ]);
});

it("is in the first accepted language for which there are texts, else in English", () => {
  const codeOf = (...wanted: string[]) => choosePageLanguage(wanted, shipped).code;
  expect(codeOf("am", "pt-BR", "de")).toBe("pt");
  expect(codeOf("AR-eg")).toBe("ar");
  expect([codeOf(), codeOf("*"), codeOf("constructor"), codeOf("__proto__"), codeOf("")]).toEqual(
    Array.from({ length: 5 }, () => "en"),
  );
});

it("is in the nearest form of the language for which there are texts", () => {
  const own = { path: "zh-Hant.json", name: "zh-hant", content: TEXTS.ja };
  const languages = createPageLanguages([...PAGE_FILES, own]);
  const codeOf = (...wanted: string[]) => choosePageLanguage(wanted, languages).code;
  expect([codeOf("zh-Hant-TW"), codeOf("zh-TW"), codeOf("zh-Hans", "de")]).toEqual([
    "zh-Hant",
    "zh-Hant",
    "zh",
  ]);
  expect([codeOf("in-ID"), codeOf("arz"), codeOf("pt-BR"), codeOf("prs"), codeOf("nn", "sw")]).toEqual(
    "id ar pt fa sw".split(" "),
  );
});

it("offers to renew a link only if it can be renewed", () => {
  const page = (status: number, code: string) =>
    renderProblemPage(problem(status, code), {
      language: english,
      renewal: { url: 'a"b/renewal', title: "<Well>", languageCode: "am" },
    });
  expect(page(410, "download_token_expired")).toContain('<form method="post" action="a&#34;b/renewal">');
  expect(page(410, "download_token_expired")).not.toContain("go back to the site");
  expect(page(410, "download_token_expired")).toContain('<bdi lang="am">&#60;Well&#62;</bdi>');
  expect(page(429, "too_many_requests")).toContain("<form");
  expect(page(404, "file_unavailable")).not.toContain("<form");
});

it("omits texts that an operator's file of an earlier version lacks", () => {
  const { begins: _, reference: __, ...earlier } = TEXTS.en ?? {};
  const own = { path: "ur.json", name: "ur", content: earlier };
  const language = choosePageLanguage(["ur"], createPageLanguages([...PAGE_FILES, own]));
  const renewal = { url: "renewal", title: "Well", languageCode: "ur" };
  const page = renderProblemPage(problem(410, "x"), { language, renewal });
  expect(page).toContain('<button type="submit" class="primary">Get a new link</button>\n</form>');
  expect(page).toContain('<small><span dir="ltr">01a1fb60</span></small>');
});

/** Plural forms can be equal, and so can what letters say below their links and on their buttons. */
const withoutPlurals = (key: string, value: unknown) =>
  ["count", "letters"].includes(key) ? undefined : value;

it("has all texts in every language, each of them different", () => {
  expect(Object.keys(TEXTS)).toHaveLength(15);
  for (const [code, texts] of Object.entries(TEXTS)) {
    const page = renderProblemPage(problem(410, "x"), {
      language: choosePageLanguage([code], shipped),
      back: { url: "https://a.example", home: "https://a.example", isLibrary: false },
    });
    expect(page).toContain(`<html lang="${code}" dir="${["ar", "fa"].includes(code) ? "rtl" : "ltr"}">`);
    expect(Object.keys(texts)).toEqual(Object.keys(TEXTS.en ?? {}));
    const all = JSON.stringify(texts, withoutPlurals).match(/(?<=:)"[^"]*"/g) ?? [];
    expect(all.length).toBeGreaterThan(15);
    expect(new Set(all).size, code).toBe(all.length);
  }
});
