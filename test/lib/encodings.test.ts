/** Which encoding a text has, against what its file says. */
import { describe, expect, it } from "vitest";
import { decodeText, findEncoding, readLatin1, readMisread } from "../../src/lib/encodings.ts";

const markup = (title: string) => `<package><title>${title}</title></package>`;
const utf8 = (text: string) => Buffer.from(markup(text));
const latin = (text: string) => Buffer.from(markup(text), "latin1");
const WINDOWS_1251 = "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя";
const KOI8 = "юабцдефгхийклмнопярстужвьызшэщчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ";
/** @param letters by their bytes, beginning with 0xC0 */
const encode = (text: string, letters: string) =>
  Buffer.from(
    [...markup(text)].map((each) => {
      const at = letters.indexOf(each);
      return at < 0 ? each.charCodeAt(0) : at + 0xc0;
    }),
  );

describe("a text is read", () => {
  it.each([
    ["UTF-8 that is called Latin 1", utf8("Los niños"), "ISO-8859-1", "Los niños"],
    ["UTF-8 that is called ASCII", utf8("Los niños"), "US-ASCII", "Los niños"],
    ["UTF-8 that is called Cyrillic", utf8("Война"), "windows-1251", "Война"],
    ["UTF-8 that is called Chinese", utf8("红楼梦"), "GB2312", "红楼梦"],
    ["UTF-8 that is called Japanese", utf8("吾輩は猫"), "Shift_JIS", "吾輩は猫"],
    ["UTF-8 that is called Korean", utf8("어린 왕자"), "EUC-KR", "어린 왕자"],
    ["Latin 1 that is called UTF-8", latin("Los niños"), "UTF-8", "Los niños"],
    ["Latin 1 that is called nothing", latin("Los niños"), undefined, "Los niños"],
    ["Latin 1 as it says", latin("Spaß » «"), "ISO-8859-1", "Spaß » «"],
    ["windows-1251 that is called UTF-8", encode("Война и мир", WINDOWS_1251), "utf-8", "Война и мир"],
    ["windows-1251 as it says", encode("Война", WINDOWS_1251), "cp1251", "Война"],
    ["KOI8-R that is called nothing", encode("Война и мир", KOI8), undefined, "Война и мир"],
    ["Turkish in Latin letters", latin("Üçü"), undefined, "Üçü"],
    ["UTF-8 as it says", utf8("Üçü"), "utf-8", "Üçü"],
    ["UTF-8 with one damaged letter", Buffer.concat([utf8("Война"), Buffer.from([0xd0])]), "utf-8", "Война"],
  ])("%s", (_, bytes, label, title) => {
    expect(decodeText(bytes, label)).toContain(markup(title));
  });

  it("that has GBK as it says, though one of its letters could be UTF-8", () => {
    const bytes = Buffer.concat([latin(""), Buffer.from([0xc4, 0xa3])]);
    expect(decodeText(bytes, "gbk")).toContain("模");
  });
});

it.each([
  ["Âîéíà è ìèð", "Война и мир"],
  ["Ìèð", "Мир"],
  ["Þýðing", "Þýðing"],
  ["Üçü Bir Arada", "Üçü Bir Arada"],
  ["Los niños de Málaga", "Los niños de Málaga"],
  ["Œuvre", "Œuvre"],
  ["Война", "Война"],
  ["CafÃ© CorazÃ³n", "Café Corazón"],
  ["Ð\u0092Ð¾Ð¹Ð½Ð°", "Война"],
  ["äº\u0095", "井"],
  ["ßÊÇÈ ÇáÑíÇÖíÇÊ", "كتاب الرياضيات"],
  ["Êý×Ö½Ì¿ÆÊé", "数字教科书"],
  ["\u008cá\u0094y\u0082Í\u0094L\u0082Å\u0082\u00a0\u0082é", "吾輩は猫である"],
  ["Déjà été créé", "Déjà été créé"],
  ["Çok Güzel Öykü", "Çok Güzel Öykü"],
  // The last letter was cut.
  ["MÃ¡laga Ã", "Málaga "],
  ["Café", "Café"],
  ["Ã", "Ã"],
  ["", ""],
])("%s is %s", (text, expected) => {
  expect(readMisread(text)).toBe(expected);
});

it.each([
  ["It\u0092s a \u0096 well", "It’s a – well"],
  ["Ìèð", "Мир"],
  ["Œuvre \u0096", "Œuvre \u0096"],
])("%j in Latin 1 is %s", (text, expected) => {
  expect(readLatin1(text)).toBe(expected);
});

it.each([
  ["EUC_JP", "euc-jp"],
  ["euc_kr", "euc-kr"],
  ["EUC_CN", "gbk"],
  ["iso2022_jp", "iso-2022-jp"],
  ["shiftjis", "shift_jis"],
  ["MS932", "shift_jis"],
  ["UHC", "euc-kr"],
  ["x-windows-949", "euc-kr"],
  ["Big5_HKSCS", "big5"],
  ["GB-18030", "gb18030"],
  ["KOI8_R", "koi8-r"],
  ["win-1251", "windows-1251"],
  ["Cp1251", "windows-1251"],
  ["x-MacCyrillic", "x-mac-cyrillic"],
  ["mac_roman", "macintosh"],
  ["ISO8859_2", "iso-8859-2"],
  ["ISO 8859-5", "iso-8859-5"],
  ["latin-2", "iso-8859-2"],
  ["TIS620", "windows-874"],
  ["UTF_8", "utf-8"],
  ["utf_16_le", "utf-16le"],
  ["unheard-of", undefined],
  ["", undefined],
])("the encoding %s is %s", (label, encoding) => {
  expect(findEncoding(label)).toBe(encoding);
});
