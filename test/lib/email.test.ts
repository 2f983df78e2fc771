/** E-mail addresses: normal form, syntax, suggestions. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isEmail, normalizeEmail } from "../../src/lib/email.ts";
import { suggestEmail } from "../../src/lib/email-suggestion.ts";
import { anyText } from "../support/any-text.ts";

describe("normalizeEmail", () => {
  it("trims, composes and lowers", () => {
    expect(normalizeEmail(" Ann.O'Neil@Example.ORG\n")).toBe("ann.o'neil@example.org");
    expect(normalizeEmail("JOSE\u0301@example.org")).toBe("josé@example.org");
  });

  it.each([
    ["anna@example.org\u200b", "anna@example.org"],
    ["\u202aanna@example.org\u202c", "anna@example.org"],
    ["\u2068anna@example.org\u2069", "anna@example.org"],
    ["\ufeffanna\u200e@exam\u2060ple.org\u00a0", "anna@example.org"],
    ["ａｎｎａ＠ｅｘａｍｐｌｅ．ｏｒｇ", "anna@example.org"],
    ["anna＠example.org\u3000", "anna@example.org"],
    ["anna@example。org", "anna@example.org"],
    ["anna@example｡org", "anna@example.org"],
    ["\u061canna@exam\u00adple.org\ufe0f", "anna@example.org"],
    ["an\u2061na@example.org\u180e\u206a", "anna@example.org"],
    ["anna\u2011b@exam\u2010ple.org", "anna-b@exam-ple.org"],
    ["anna@exam–ple.org", "anna@exam-ple.org"],
    ["o’neil@example.org", "o'neil@example.org"],
    ["İnfo@example.org", "info@example.org"],
    ["anna@example.org.", "anna@example.org"],
    ["anna@example.org. ", "anna@example.org"],
  ])("%j is %s", (pasted, address) => {
    expect(normalizeEmail(pasted)).toBe(address);
    expect(isEmail(normalizeEmail(pasted))).toBe(true);
  });

  it("is its own normal form", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = normalizeEmail(text);
        expect(normalizeEmail(once)).toBe(once);
      }),
    );
  });
});

describe("isEmail", () => {
  it.each([
    "a@b.co",
    "Ann.O'Neil+books@mail.Example.org",
    "!#$%&'*+/=?^_`{|}~-@example.org",
    "josé@bücher.de",
    "почта@пример.рф",
    "पता@उदाहरण.भारत",
    "用户@例子.中国",
    "ann@xn--bcher-kva.de",
    "ann@a--b.example",
    "1@2.museum",
  ])("accepts %s", (address) => {
    expect(isEmail(address)).toBe(true);
  });

  it.each([
    "",
    "@",
    "ann",
    "@example.org",
    "ann@",
    "ann@localhost",
    "ann@@example.org",
    "ann@b@example.org",
    ".ann@example.org",
    "ann.@example.org",
    "an..n@example.org",
    "an n@example.org",
    '"an n"@example.org',
    "ann(comment)@example.org",
    "Ann <ann@example.org>",
    "ann@example.org,bob@example.org",
    " ann@example.org",
    "ann@example.org\n",
    "ann\r\nBcc: bob@example.org",
    "ann\0@example.org",
    "ann\u202E@example.org",
    "ann@[127.0.0.1]",
    "ann@127.0.0.1",
    "ann@0x7f.1",
    "ann@example.1",
    "ann@example.c",
    "ann@example.org.",
    "ann@.example.org",
    "ann@example..org",
    "ann@-example.org",
    "ann@example-.org",
    "ann@exa_mple.org",
    "ann@exa%41mple.org",
    "ann@example.org/x",
    "ann@example.org:25",
    "ann@ｅxample.org",
    "\uD800@example.org",
  ])("rejects %j", (address) => {
    expect(isEmail(address)).toBe(false);
  });

  it("counts bytes: 64 before the @, 63 in a label, 254 in all", () => {
    expect(isEmail(`${"a".repeat(64)}@example.org`)).toBe(true);
    expect(isEmail(`${"a".repeat(65)}@example.org`)).toBe(false);
    expect(isEmail(`${"é".repeat(32)}@example.org`)).toBe(true);
    expect(isEmail(`${"é".repeat(33)}@example.org`)).toBe(false);
    expect(isEmail(`ann@${"a".repeat(63)}.org`)).toBe(true);
    expect(isEmail(`ann@${"a".repeat(64)}.org`)).toBe(false);
    expect(isEmail(`ann@${"ü".repeat(60)}.org`)).toBe(false); // longer than 63 as xn--
    const domain = `${`${"a".repeat(61)}.`.repeat(3)}example.org`;
    expect(isEmail(`${"a".repeat(254 - 1 - domain.length)}@${domain}`)).toBe(true);
    expect(isEmail(`${"a".repeat(255 - 1 - domain.length)}@${domain}`)).toBe(false);
    expect(isEmail(`a@${"ü.".repeat(60)}de`)).toBe(false); // 482 characters as xn--
  });

  it("accepts the ordinary addresses of fast-check, also in normal form", () => {
    fc.assert(
      fc.property(fc.emailAddress(), (address) => {
        expect(isEmail(address)).toBe(true);
        expect(isEmail(normalizeEmail(address))).toBe(true);
      }),
    );
  });

  it("never throws, and rejects long text fast", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(isEmail(text)).toBeTypeOf("boolean");
      }),
    );
    expect(isEmail(`${"a.".repeat(500_000)}@`)).toBe(false);
  });
});

describe("suggestEmail", () => {
  it.each([
    ["gmial.com", "gmail.com"],
    ["gamil.com", "gmail.com"],
    ["gmai.com", "gmail.com"],
    ["gnail.com", "gmail.com"],
    ["gmaill.com", "gmail.com"],
    ["gmail.con", "gmail.com"],
    ["gmail.co", "gmail.com"],
    ["gmail.cm", "gmail.com"],
    ["hotmial.com", "hotmail.com"],
    ["hotmial.fr", "hotmail.fr"],
    ["yaho.com", "yahoo.com"],
    ["yaho.co.uk", "yahoo.co.uk"],
    ["yahooo.com", "yahoo.com"],
    ["outlok.com", "outlook.com"],
    ["iclould.com", "icloud.com"],
  ])("for %s returns %s", (typed, meant) => {
    expect(suggestEmail(`ánn+1@${typed}`)).toBe(`ánn+1@${meant}`);
  });

  it.each(
    [
      "gmail.com googlemail.com ymail.com mail.com email.com mail.ru cloud.com proton.me pm.me zoho.com",
      "gmx.net gmx.de gmx.it hotmail.fr hotmail.pl outlook.dk live.nl live.no yahoo.fr yahoo.com.au yahoo.com.sg",
      "fastmail.com rocketmail.com aim.com aon.com love.com man.com web.de qq.com 163.com orange.fr",
      "example.org bücher.de aol.com aol.con gmx.nte live.com msn.com me.com t-online.de yandex.com.tr hotmail.con.br",
    ].flatMap((line) => line.split(" ")),
  )("for %s returns none", (domain) => {
    expect(suggestEmail(`ann@${domain}`)).toBeUndefined();
  });

  it("suggests an address for which it has no further suggestion", () => {
    const typed = fc.stringMatching(/^[gmailyhotuk]{3,8}\.(com|con|co|net|fr)$/);
    fc.assert(
      fc.property(typed, (domain) => {
        const suggestion = suggestEmail(`ann@${domain}`);
        if (suggestion === undefined) return;
        expect(isEmail(suggestion)).toBe(true);
        expect(suggestEmail(suggestion)).toBeUndefined();
      }),
    );
  });
});
