/** Requests that look for what databases and stores do differently: texts of many scripts, large numbers, zones, ranges. */
import fc from "fast-check";
import { chooseOne, listActiveBooks, NOTHING } from "../fuzz/requests/known.ts";
import type { Draft, Headers } from "../fuzz/requests/request.ts";
import type { Catalogue } from "../fuzz/service/catalogue.ts";

/** Each is written into books, translations and contacts, and searched for. */
export const TEXTS: readonly string[] = [
  "İstanbul ıhlamur IĞDIR",
  "Straße STRASSE ẞ",
  "Ὀδυσσεύς ΟΔΥΣΣΕΎΣ σς",
  "ﬁnal ﬂow ﬅ Ǆ ǅ ǆ",
  "Ｆｕｌｌ　ｗｉｄｔｈ １２３",
  "e\u0301te\u0301 A\u030angstro\u0308m",
  "été Ångström",
  "ÞORN ðan Ærø Łódź Đuro ħ ŋ",
  "Ёлка ёж Їжак Ґанок",
  "Ђорђе Ѓорѓи Қазақ Ө",
  "Հայերեն և Եւ",
  "ქართული ᲥᲐᲠᲗᲣᲚᲘ",
  "עברית שָׁלוֹם",
  "العربية ٱلْكِتَاب ـــ ١٢٣",
  "فارسی کتاب‌ها ۴۵۶",
  "اردو ہے ڈ",
  "ܣܘܪܝܝܐ ߒߞߏ ދިވެހި",
  "हिन्दी क़ किताब ५",
  "বাংলা বই ড়",
  "ਪੰਜਾਬੀ ਗੁਰਮੁਖੀ",
  "ગુજરાતી ଓଡ଼ିଆ",
  "தமிழ் நூல் ொ",
  "తెలుగు ಕನ್ನಡ മലയാളം",
  "සිංහල පොත්",
  "ไทย หนังสือ ำ",
  "ລາວ ປຶ້ມ",
  "བོད་སྐད་ དཔེ་ཆ།",
  "မြန်မာ စာအုပ်",
  "ខ្មែរ សៀវភៅ",
  "አማርኛ መጽሐፍ",
  "ᏣᎳᎩ ꭰꮳ ᐃᓄᒃᑎᑐᑦ",
  "ᠮᠣᠩᠭᠣᠯ",
  "中文 書本 书本 ㍿ ①",
  "日本語 ほん ホン ﾎﾝ ばぱ",
  "한국어 책 한국어",
  "𐐀𐐨 𝒜𝕏 𠮷 𞤀𞤢",
  "👩‍👩‍👧 🏳️‍🌈 👍🏽 ❤️",
  "100% _under_ \\back\\ 'one' \"two\" `three`",
  "%",
  "_",
  "\\",
  "\\%",
  "''",
  "--",
  "a;b|c\td",
  "=1+1",
  " =1+1",
  "@x",
  "-5",
  "+49 600 111-222",
  "a\u00adb\u200bc\u200e",
  "line\u2028break",
  "\0",
  "a\0b",
  "\u0007",
  "\ud800",
  "x\udfffy",
  "\ufffe",
  "a".repeat(500),
  "é".repeat(501),
  "𝒜".repeat(250),
];

const VARIANTS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toLowerCase(),
  (text) => text.toUpperCase(),
  (text) => text.normalize("NFD"),
  (text) => text.normalize("NFKC"),
  (text) => text.normalize("NFD").replace(/\p{M}/gu, ""),
  (text) => text.slice(1, 4),
  (text) => text.split(" ").toReversed().join(" "),
];

const NUMBERS = [
  "-9007199254740993",
  "-2147483649",
  "-2147483648",
  "-1",
  "0",
  "1",
  "2",
  "3",
  "50",
  "200",
  "2147483647",
  "2147483648",
  "4294967296",
  "9007199254740991",
  "9007199254740993",
  "9000000000000000",
  "1e3",
  "0x10",
  "1.5",
  "",
];
const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "America/St_Johns",
  "America/Sao_Paulo",
  "Asia/Kathmandu",
  "Asia/Tehran",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Pacific/Chatham",
  "Nowhere/Land",
];
const DATES = [
  "2026-02-30",
  "2024-02-29",
  "2025-02-29",
  "0000-01-01",
  "9999-12-31",
  "1969-12-31",
  "2026-03-29T02:30:00",
  "2025-01-01",
  "2030-12-31",
  "2026-01-01T00:00:00Z",
  "2038-01-19T03:14:08Z",
  "+275760-09-13T00:00:00.001Z",
];
const RANGES = [
  "bytes=0-0",
  "bytes=0-499",
  "bytes=5-",
  "bytes=-5",
  "bytes=-0",
  "bytes=5-2",
  "bytes=999999999-",
  "bytes=0-0,2-3",
  "bytes=0-9007199254740993",
  "bytes=-9223372036854775808",
  "bytes=a-b",
  "items=0-5",
  "bytes=0-0, -1",
];
const REPORTS = [
  "summary",
  "by-date",
  "by-book",
  "by-country",
  "by-language",
  "by-device",
  "by-campaign",
  "downloads",
  "downloads/export",
];
const EXPORTS = ["analytics/downloads/export", "contacts/export", "audit/export", "books/export"];
/** Of a book that is due, that was, or that will be. */
const BOOK_DATES = [
  {},
  {},
  { publishAt: null, unpublishAt: null },
  { publishAt: "2026-01-01T00:00:00Z" },
  { publishAt: null, unpublishAt: "2026-01-01T00:00:00Z" },
  { publishAt: "2999-01-01T00:00:00Z" },
];
const DELIMITERS = ["comma", "semicolon", "tab", ",", ";"];

const any = <T>(list: readonly T[]) => fc.constantFrom(...list);
const text = any(TEXTS);
const number = any(NUMBERS);

type Parts = Partial<Draft> & Pick<Draft, "path">;

export function createProbes(catalogue: Catalogue): fc.Arbitrary<Draft> {
  const book = chooseOne(() => listActiveBooks(catalogue)).map((known) => known?.id ?? NOTHING);
  const language = chooseOne(() => catalogue.languages);
  const token = chooseOne(() => [...catalogue.tokens, ...catalogue.cloudTokens]).map(
    (known) => known ?? NOTHING,
  );
  const offer = chooseOne(() => catalogue.offers);
  return fc
    .oneof(
      fc.record({ path: any(["/api/admin/books", "/api/books", "/api/admin/contacts"]), query: searches }),
      fc.record({
        path: any(PAGED),
        query: fc.record({ page: number, limit: number }, { requiredKeys: [] }),
      }),
      createReports(
        book,
        language.map((known) => known?.id ?? 1),
      ),
      fc.record({ path: any(EXPORTS.map((each) => `/api/admin/${each}`)), query: exported }),
      fc.tuple(token, any(["GET", "HEAD"]), conditions).map(
        ([known, method, headers]): Parts => ({
          path: `/api/download/${known}`,
          method,
          headers,
          sender: "anonymous",
        }),
      ),
      fc.tuple(book, text, text, number, any(BOOK_DATES)).map(
        ([id, title, description, order, dates]): Parts =>
          createWrite("PUT", `/api/admin/books/${id}`, {
            titleEn: title,
            description,
            tags: [title],
            sortOrder: order,
            ...dates,
          }),
      ),
      fc.tuple(book, language, text, text).map(
        ([id, known, title, name]): Parts =>
          createWrite("POST", `/api/admin/books/${id}/translations`, {
            languageId: known?.id ?? 1,
            languageCode: known?.code,
            title,
            authors: [name],
          }),
      ),
      fc
        .tuple(text, text)
        .map(
          ([titleEn, author]): Parts =>
            createWrite("POST", "/api/admin/books", { titleEn, authors: [author] }),
        ),
      fc.tuple(offer, text, text, any(["a@example.org", "A@Example.org", "ä@example.org"])).map(
        ([known, firstName, lastName, email]): Parts => ({
          ...createWrite("POST", "/api/download/submit", {
            slug: known?.slug ?? NOTHING,
            languageCode: known?.languageCode ?? "zz",
            fileId: known?.fileId ?? NOTHING,
            contact: { firstName, lastName, email },
          }),
          sender: "anonymous",
        }),
      ),
    )
    .map((parts): Draft => ({ ...USUAL, ...parts }));
}

const USUAL = {
  method: "GET",
  params: {},
  query: {},
  sender: "admin",
  headers: [],
  body: { kind: "none" },
} as const;

const PAGED = [
  "/api/admin/books",
  "/api/books",
  "/api/admin/contacts",
  "/api/admin/audit",
  "/api/admin/analytics/downloads",
];

const searches = fc
  .tuple(text, any(VARIANTS), fc.boolean())
  .map(([given, variant, isAll]) => ({ search: variant(given), ...(isAll && { limit: 200 }) }));

const period = fc.record(
  { startDate: any(DATES), endDate: any(DATES), timezone: any(ZONES) },
  { requiredKeys: [] },
);

const exported = fc
  .tuple(
    period,
    fc.record(
      { delimiter: any(DELIMITERS), bom: any(["true", "0"]), raw: any(["1", "false"]) },
      { requiredKeys: [] },
    ),
  )
  .map(([given, format]) => ({ ...given, ...format }));

const createReports = (book: fc.Arbitrary<string>, language: fc.Arbitrary<number>): fc.Arbitrary<Parts> =>
  fc.record({
    path: any(REPORTS.map((each) => `/api/admin/analytics/${each}`)),
    query: fc.record(
      {
        timezone: any(ZONES),
        startDate: any(DATES),
        endDate: any(DATES),
        languageId: language,
        bookId: book,
        countryCode: any(["GB", "DE", "zz", "XX"]),
        deviceType: any(["desktop", "mobile", "tablet", "bot", "unknown"]),
        includeBots: any(["true", "false", "2"]),
        granularity: any(["day", "week", "month", "year"]),
      },
      { requiredKeys: [] },
    ),
  });

/** Conditions with a tag that is never that of the content. */
const conditions: fc.Arbitrary<Headers> = fc
  .tuple(
    any(RANGES),
    fc.nat(3),
    any(["If-None-Match", "If-Match", "If-Range"]),
    any(['"x"', "*", 'W/"x"', "x"]),
  )
  .map(([range, kind, name, tag]): Headers => {
    if (kind === 0) return [["Range", range]];
    if (kind === 1) return [[name, tag]];
    return [
      ["Range", range],
      [name, tag],
    ];
  });

const createWrite = (method: string, path: string, value: unknown): Parts => ({
  method,
  path,
  body: { kind: "json", value },
});
