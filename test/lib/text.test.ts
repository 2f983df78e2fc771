/** Folding for search: what counts as the same, what must stay different, and LIKE without wildcards. */
import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createSearchText,
  escapeLike,
  foldForSearch,
  listCases,
  searchWords,
  splitIntoWords,
} from "../../src/lib/text.ts";
import { anyText } from "../support/any-text.ts";

describe("foldForSearch", () => {
  it.each([
    ["case", "WAR and Peace", "war AND peace"],
    ["accents", "Café Müller à Ñandú", "cafe muller a nandu"],
    ["the encoding of accents", "e\u0301te\u0301", "été"],
    ["Vietnamese tone and vowel marks", "Tiếng Việt Đường", "tieng viet duong"],
    ["German sharp s", "STRASSE", "straße"],
    ["capital sharp s", "STRAẞE", "strasse"],
    ["Turkish i", "İSTANBUL Işık", "istanbul isik"],
    ["ligatures and strokes", "Œuvre Ærø Łódź", "oeuvre aero lodz"],
    ["Greek accents and final sigma", "Ὁ Λόγος", "ο λογοσ"],
    ["Cyrillic ё", "Ёлка", "елка"],
    ["Hebrew points", "בְּרֵאשִׁית", "בראשית"],
    ["Arabic vowel signs and hamza seats", "القُرْآنُ أَحْمَد", "القران احمد"],
    ["Arabic tatweel", "كـــتاب", "كتاب"],
    ["the Persian joiner", "می\u200cخواهم", "میخواهم"],
    ["width", "Ｆｕｌｌ ﾊﾞﾅﾅ", "full バナナ"],
    ["whitespace", "  a \t\n\u3000 b ", "a b"],
    ["typographic apostrophes", "L’Étranger", "l'etranger"],
    ["soft hyphens and direction marks", "co\u00ADoperate\u200F", "cooperate"],
    ["Persian and Arabic yeh and kaf", "کتاب یوسف", "كتاب يوسف"],
    ["Arabic yeh without dots", "الدورى", "الدوري"],
    ["teh marbuta and heh", "مدرسه", "مدرسة"],
    ["Urdu heh", "کہانی", "كهاني"],
    ["Kurdish ae", "کوردە", "كورده"],
    ["heh with hamza", "خانۀ", "خانه"],
    ["Urdu teh marbuta", "سورۃ البقرۃ", "سورة البقرة"],
    ["alef wasla", "ٱلكتاب ٱلأول", "الكتاب الاول"],
    ["Kashmiri alef with wavy hamza", "ٲ ٳ", "أ إ"],
    ["Kazakh high hamza", "ٴبىر", "ءبىر"],
    ["Malay gaf", "ݢورو", "ڬورو"],
    ["Uyghur ng and Moroccan g", "يېڭى ئݣادير", "يېݣى ئڭادير"],
    ["Caucasian palochka", "гӀала Ӏаьржа", "гІала Іаьржа"],
    ["Azerbaijani and African schwa", "Əli ǝsǝ", "Ǝli əsə"],
    ["Yiddish digraphs", "ייִדיש װאָרט ײַ ױ", "ײִדיש וואָרט יי וי"],
    ["Malayalam chillus", "അവൻ അവർ അവൾ പാൽ കൺ", "അവന്\u200d അവര്\u200d അവള്\u200d പാല്\u200d കണ്\u200d"],
    ["Bengali khanda ta", "হঠাৎ", "হঠাত্\u200d"],
    ["yeh with hamza", "مسئول", "مسيول"],
    ["presentation forms", "ﻛﺘﺎﺏ ﯾﻮﺳﻒ", "كتاب يوسف"],
    ["Persian digits", "۰۹۱۲۳۴۵۶۷۸۹", "09123456789"],
    ["Arabic digits", "كتاب ٣", "كتاب 3"],
    ["digits of South Asia", "१२३ ১২৩ ੧੨੩ ௧௨௩ ๑๒๓ ༡༢༣ ၁၂၃ ១២៣", "123 123 123 123 123 123 123 123"],
    ["digits beyond the basic plane", "𞥑𞥒𑁧", "121"],
    ["Uzbek and Hawaiian apostrophes", "Oʻzbek Hawaiʻi", "O'zbek hawai'i"],
    ["other apostrophes", "a‘b’c‛dʼe׳f", "a'b'c'd'e'f"],
    [
      "half rings, saltillo and Armenian apostrophe",
      "ʿAyn Qurʾān tlaꞌtolli ՚ ʽ",
      "'Ayn Qur'an tla'tolli ' '",
    ],
    ["quotation marks", "“a” „b‟ צה״ל", '"a" "b" צה"ל'],
    ["hyphens and dashes", "a‐b‑c‒d–e—f―g−h־i﹘j－k", "a-b-c-d-e-f-g-h-i-j-k"],
  ])("ignores %s: %j is %j", (_, one, other) => {
    expect(foldForSearch(one)).toBe(foldForSearch(other));
  });

  it.each([
    ["Hindi vowel signs", "की", "का"],
    ["Hindi vowel sign and bare letter", "कि", "क"],
    ["the Hindi candrabindu", "माँ", "मा"],
    ["Tibetan vowel signs", "བོད", "བད"],
    ["Thai vowels and tones", "ป้า", "ปา"],
    ["Tamil vowel signs", "கி", "கு"],
    ["Khmer vowels", "កិ", "កុ"],
    ["Japanese dakuten", "ハハ", "ババ"],
    ["Japanese handakuten, combining", "は\u309A", "は"],
    ["Hangul syllables", "한", "하"],
    ["the vowels of Thaana", "ދި", "ދު"],
  ])("distinguishes %s: %j isn't %j", (_, one, other) => {
    expect(foldForSearch(one)).not.toBe(foldForSearch(other));
  });

  it("has for every digit of Unicode its ASCII digit", () => {
    const digits = [];
    for (let code = 0; code <= 0x10_ff_ff; code += 1) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const character = String.fromCodePoint(code);
      if (/\p{Nd}/u.test(character)) digits.push(foldForSearch(character));
    }
    expect(digits.length % 10).toBe(0);
    for (const [index, digit] of digits.entries()) expect(digit).toBe(String(index % 10));
  });

  it.each([
    ["Urdu's two letters for h", "بھائی", "بہائی"],
    ["Kurdish and Pashto letters for e", "ێ", "ي"],
    ["waw and its hamza forms from yeh", "و", "ي"],
    ["Sindhi's two letters for k", "ڪر", "کر"],
    ["Urdu's two letters for ye, and for noon", "ے ں", "ی ن"],
    ["letters of Uyghur", "ۇ ۆ ۋ", "و و و"],
    ["Pashto and Persian g", "ګ", "گ"],
    ["superscript signs", "ʹ", "'"],
  ])("distinguishes %s", (_, one, other) => {
    expect(foldForSearch(one)).not.toBe(foldForSearch(other));
  });

  it.each(["हिन्दी में पुस्तक", "བོད་ཡིག་གི་དཔེ་ཆ", "หนังสือภาษาไทย", "日本語のガイドブック", "圣经 故事", "한국어 책"])(
    "keeps %j unchanged",
    (text) => {
      expect(foldForSearch(text)).toBe(text.normalize("NFC"));
    },
  );

  it("is idempotent, for any text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const folded = foldForSearch(text);
        expect(foldForSearch(folded)).toBe(folded);
        expect(foldForSearch(text.normalize("NFD"))).toBe(folded);
      }),
    );
  });
});

it("searchTextOf folds each text, and separates them", () => {
  expect(createSearchText(["Ana  Núñez", "", "two\nlines"])).toBe("ana nunez\n\ntwo lines");
});

it("casesOf returns lower case, upper case and capitalised words, each once", () => {
  expect(listCases(["são tomé"])).toEqual(["são tomé", "SÃO TOMÉ", "São Tomé"]);
  expect(listCases(["Łódź", "Ło\u0301dz\u0301"])).toEqual(["Łódź", "łódź", "ŁÓDŹ"]);
  expect(listCases(["東京"])).toEqual(["東京"]);
});

it.each([
  ["  War AND  peace ", ["war", "and", "peace"]],
  ["a animal a", ["animal"]],
  ["", []],
  [" \u00AD ", []],
  ["% _", ["%", "_"]],
  // Between the groups of a number, a sign is none.
  ["600 - 111 / 222", ["600", "111", "222"]],
  ["( 600 ) 111", ["600", "111"]],
  ["-", ["-"]],
  ["war - peace", ["war", "-", "peace"]],
])("wordsOf of %j are %j", (search, words) => {
  expect(splitIntoWords(search)).toEqual(words);
});

describe("searchWords", () => {
  it("are patterns in which the wildcards and the escape character are literal", () => {
    expect(escapeLike("100%_\\")).toBe("100\\%\\_\\\\");
    expect(searchWords("100% Öl")).toEqual([["%100\\%%"], ["%ol%"]]);
    expect(searchWords(" ")).toBeUndefined();
    expect(searchWords("O`zbek O\u2032zbek")).toEqual([
      ["%o`zbek%", "%o'zbek%"],
      ["%o\u2032zbek%", "%o'zbek%"],
    ]);
    expect(searchWords("O\u00b4zbek")).toEqual([["%o%"], ["%zbek%"]]);
    expect(searchWords(undefined)).toBeUndefined();
  });

  it("search for a number as written and without the characters that group it", () => {
    expect(searchWords("+34 600-111.222")).toEqual([
      ["%+34%", "%34%"],
      ["%600-111.222%", "%600111222%"],
    ]);
    expect(searchWords("(020)7946")).toEqual([["%(020)7946%", "%0207946%"]]);
    expect(searchWords("600 a-1 -")).toEqual([["%600%"], ["%a-1%"]]);
  });

  it("find in SQLite exactly the texts that contain every word", () => {
    const database = new Database(":memory:");
    const finds = database.prepare<[string, string], number>("SELECT ? LIKE ? ESCAPE '\\'").pluck();
    const spiky = fc.string({
      unit: fc.constantFrom("%", "_", "\\", "'", '"', "a", "Ä", "b", " ", "の", "क"),
      maxLength: 6,
    });
    fc.assert(
      fc.property(spiky, spiky, (text, search) => {
        const stored = foldForSearch(text);
        const words = searchWords(search) ?? [];
        const found = words.every((patterns) => patterns.some((pattern) => finds.get(stored, pattern) === 1));
        const expected = foldForSearch(search)
          .split(" ")
          .every((word) => stored.includes(word));
        expect(found).toBe(expected);
      }),
    );
    database.close();
  });
});
