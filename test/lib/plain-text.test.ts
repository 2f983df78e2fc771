import { describe, expect, it } from "vitest";
import { renderLine, renderPlainText } from "../../src/lib/plain-text.ts";

const paragraphsOf = (text: string): string[] => renderPlainText(text).map(({ markup }) => markup);
const lineOf = (text: string): string => renderLine(text).markup;
const linkTo = (address: string): string => `<a href="${address}" rel="noopener noreferrer">${address}</a>`;

describe("plain texts as markup", () => {
  it.each([
    ["one\n\ntwo", ["<p>one</p>", "<p>two</p>"]],
    ["one\r\n\r\ntwo\r\nthree", ["<p>one</p>", "<p>two<br>three</p>"]],
    ["one\n \t\n\n\ntwo", ["<p>one</p>", "<p>two</p>"]],
    ["one\u2028two\u2029three", ["<p>one<br>two</p>", "<p>three</p>"]],
    ["", []],
    [" \n\n ", []],
  ])("has paragraphs and line breaks: %j", (text, expected) => {
    expect(paragraphsOf(text)).toEqual(expected);
  });

  it.each([
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "</p><style>*{display:none}</style>",
    '"><a href="javascript:alert(1)">x</a>',
    "<!-- -->&lt;b&gt;",
  ])("escapes markup: %s", (text) => {
    const [markup = ""] = paragraphsOf(text);
    expect(markup.replace(/^<p>/, "").replace(/<\/p>$/, "")).not.toMatch(/[<>"']/);
  });

  it.each([
    ["See https://example.org/books.", `See ${linkTo("https://example.org/books")}.`],
    ["(https://example.org/a_(b))", `(${linkTo("https://example.org/a_(b)")})`],
    ["(https://example.org/a)", `(${linkTo("https://example.org/a")})`],
    ["読む：https://example.org/本。次", `読む：${linkTo("https://example.org/本。次")}`],
    ["HTTPS://EXAMPLE.ORG!", `${linkTo("HTTPS://EXAMPLE.ORG")}!`],
    ["https://a.example https://b.example", `${linkTo("https://a.example")} ${linkTo("https://b.example")}`],
    ["https://example.org/?a=1&b=2", linkTo("https://example.org/?a=1&#38;b=2")],
    ["https://example.org/؟", `${linkTo("https://example.org/")}؟`],
  ])("makes links of addresses with https: %s", (text, expected) => {
    expect(lineOf(text)).toBe(expected);
  });

  it.each([
    "http://example.org",
    "javascript:alert(1)",
    "data:text/html,x",
    "ftp://example.org",
    "//example.org",
    "example.org",
    "https://",
    "https:// example.org",
    "https://bank.example@evil.example/",
    "https://user:secret@example.org/",
    "https://\u202egro.elpmaxe",
  ])("makes no link of %s", (text) => {
    expect(lineOf(text)).not.toContain("<a ");
  });

  it("ends a link before what could leave its attribute, and before invisible characters", () => {
    expect(lineOf('https://example.org/"onclick="x')).toBe(
      `${linkTo("https://example.org/")}&#34;onclick=&#34;x`,
    );
    expect(lineOf("https://example.org/<b>")).toBe(`${linkTo("https://example.org/")}&#60;b&#62;`);
    expect(lineOf("https://example.org/\u202egro.live")).toBe(
      `${linkTo("https://example.org/")}\u202egro.live`,
    );
  });

  it("takes no longer than linear time", () => {
    const started = performance.now();
    paragraphsOf("https://a.".padEnd(20_000, "."));
    paragraphsOf("https://a(".repeat(2000));
    paragraphsOf("\n ".repeat(10_000));
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
