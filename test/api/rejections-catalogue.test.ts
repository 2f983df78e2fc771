/** What operations on the catalogue reject by their fields, and by what these refer to. */
import { describeRejections, type Rejection } from "../support/rejections.ts";

const UNKNOWN_ID = "01a1fb60-0000-7000-8000-000000000000";
const times = <T>(count: number, value: T): T[] => Array<T>(count).fill(value);
const x = (count: number): string => "x".repeat(count);

const READ_ONLY = { id: "mine", createdAt: "2020-01-01T00:00:00.000Z", downloadCount: 7 };
const readOnly = Object.keys(READ_ONLY).map((name) => `${name} unknown_field`);

/** Of pages that are numbers. */
const CODES: Readonly<Record<string, string>> = {
  0: "too_small",
  "-1": "too_small",
  "9007199254740993": "too_big",
};

const BOOK: readonly Rejection[] = [
  [{ titleEn: " ", slug: 7 }, "titleEn too_small", "slug invalid_type"],
  [{ titleEn: "a", slug: "Not a slug" }, "slug invalid_format"],
  [
    { titleEn: "a\0", description: "a\u0007" },
    "titleEn invalid_characters",
    "description invalid_characters",
  ],
  [
    { titleEn: "\ud800", description: "\u007f" },
    "titleEn invalid_characters",
    "description invalid_characters",
  ],
  [{ titleEn: x(501), description: x(10_001) }, "titleEn too_big", "description too_big"],
  [
    { titleEn: "a", sortOrder: 1.5, legacyDownloadCount: -1 },
    "sortOrder invalid_type",
    "legacyDownloadCount too_small",
  ],
  [{ titleEn: "a", sortOrder: 2 ** 31 }, "sortOrder too_big"],
  [{ titleEn: "a", ...READ_ONLY }, ...readOnly],
  [
    { titleEn: "a", authors: ["Ana", " ", 5, x(201)] },
    "authors.1 too_small",
    "authors.2 invalid_type",
    "authors.3 too_big",
  ],
  [{ titleEn: "a", tags: times(51, "tag") }, "tags too_big"],
  [
    { titleEn: "a", series: { name: "", position: -1, number: 3 } },
    "series.name too_small",
    "series.position too_small",
    "series.number unknown_field",
  ],
];

const TITLE = { title: "T", languageCode: "es" };
const LINK = {
  languageCode: "es",
  fileType: "pdf",
  sourceType: "url",
  cloudUrl: "https://files.example.org/a.pdf",
  fileName: "a.pdf",
};
const refused = (cloudUrl: string, code: string, sourceType = "url"): Rejection => [
  { ...LINK, sourceType, cloudUrl },
  `cloudUrl ${code}`,
];

const CSV = ["bom invalid_value", "raw invalid_value"];
const NO_LANGUAGE = "languageCode missing_language";
const LANGUAGE_OF_QUERY: readonly Rejection[] = [
  ["?", NO_LANGUAGE],
  ["?languageId=&languageCode=", NO_LANGUAGE],
  ["?nothing=1", NO_LANGUAGE, "nothing unknown_field"],
  ["?languageCode=de", "languageCode unknown_language"],
  ["?languageId=99", "languageId unknown_language"],
  ["?languageId=99&languageCode=de", "languageId unknown_language", "languageCode unknown_language"],
  ["?languageId={otherLangId}&languageCode=es", "languageId contradiction"],
  ["?languageCode=%21", "languageCode invalid_language_code"],
];

const LANGUAGE: readonly Rejection[] = [
  [{ code: "en", name: " ", nativeName: x(201) }, "name too_small", "nativeName too_big"],
  [
    { code: "en", legacyDownloadCount: -1, isActive: "1" },
    "legacyDownloadCount too_small",
    "isActive invalid_value",
  ],
  [
    { code: "en", legacyDownloadCount: 2 ** 31, isActive: 2 },
    "legacyDownloadCount too_big",
    "isActive invalid_value",
  ],
  [{ code: "en", direction: "up", parentId: "1" }, "direction invalid_value", "parentId invalid_type"],
  [{ code: "en", name: "a\0" }, "name invalid_characters"],
  [
    { code: "en", id: 7, createdAt: 1, updatedAt: 1 },
    "id unknown_field",
    "createdAt unknown_field",
    "updatedAt unknown_field",
  ],
  ...["", "e", "english", "en_US", "en-", "x-private", "en-u-ca-buddhist", "und-", "é", "en\0"].map(
    (code): Rejection => [{ code }, "code invalid_language_code"],
  ),
  [{ code: x(65) }, "code too_big"],
  ...["localhost", "a", "exa mple.org", "example.org:80", "*.example.org", "127.0.0.1", "-a.org"]
    .concat(
      "https://example.org/",
      "bücher.org:80",
      "b%C3%BCcher.org",
      "bücher.org/",
      "bücher",
      "ｂooks.example.org",
    )
    .map((customDomain): Rejection => [{ code: "en", customDomain }, "customDomain invalid_format"]),
  [{ code: "en", customDomain: "ü".repeat(250) }, "customDomain invalid_format"],
  [{ code: "en", customDomain: `${x(250)}.org` }, "customDomain too_big"],
];

const CHANNEL: readonly Rejection[] = [
  [{ name: " ", description: x(2001) }, "name too_small", "description too_big"],
  [{ name: "a", sortOrder: "1", isActive: "1" }, "sortOrder invalid_type", "isActive invalid_value"],
  [{ name: "a", sortOrder: 2 ** 31 }, "sortOrder too_big"],
  [{ name: "a", sortOrder: -(2 ** 31) - 1 }, "sortOrder too_small"],
  [
    { name: "a", slug: "s", id: "x", createdAt: 1 },
    "slug unknown_field",
    "id unknown_field",
    "createdAt unknown_field",
  ],
  [{ name: "a\0" }, "name invalid_characters"],
  [{ name: "\ud800" }, "name invalid_characters"],
  [{ name: x(201) }, "name too_big"],
  ...["javascript:alert(1)", "data:text/html,x", "ftp://example.org", "//example.org", "/path", "example.org"]
    .concat(
      "https://",
      "https://exa mple.org",
      "mailto:a@example.org",
      "https://example.org/\nSet-Cookie: a=b",
    )
    .map((url): Rejection => [{ name: "a", url }, "url invalid_format"]),
  [{ name: "a", url: `https://example.org/${x(2048)}` }, "url too_big", "url invalid_format"],
];

const ON = { bookId: "{bookId}", channelId: "{channelId}", languageCode: "es", isPublished: true };
const hidden = (bookId: string) => ({ bookId, isVisible: false });

const OF_NOTHING: readonly Rejection[] = [[undefined, 404, "book_not_found"]];

describeRejections({
  "POST /api/admin/books": [
    [{}, "titleEn invalid_type"],
    ...BOOK,
    [
      { titleEn: "A", translations: [{ languageCode: "english", id: "x" }] },
      "translations.0.languageCode invalid_language_code",
      "translations.0.title invalid_type",
      "translations.0.id unknown_field",
    ],
    [
      {
        titleEn: "A",
        translations: ["es", "de", "ES"].map((languageCode) => ({ languageCode, title: "T" })),
      },
      "translations.1.languageCode unknown_language",
      "translations.2.languageCode repeated_language",
    ],
  ],
  "PUT /api/admin/books/{bookId}": [
    ...BOOK,
    [{ isActive: 1, archivedAt: 1 }, "isActive unknown_field", "archivedAt unknown_field"],
    [[], "invalid_type"],
  ],
  "GET /api/admin/books": [
    [
      "?status=gone&sort=titleEn&limit=5&limit=6",
      "status invalid_value",
      "sort invalid_value",
      "limit invalid_type",
    ],
    [
      "?languageCode=english&publishedIn=%3F",
      "languageCode invalid_language_code",
      "publishedIn invalid_language_code",
    ],
    [
      "?missing=page&updatedSince=2026-02-30&x=1",
      "missing invalid_value",
      "updatedSince impossible_date",
      "x unknown_field",
    ],
    ["?updatedSince=yesterday", "updatedSince invalid_date"],
    ["?updatedSince=2026-03-02T12:00:00", "updatedSince invalid_date"],
    ["?publishedIn=xx&channel=nowhere", "publishedIn unknown_language", "channel unknown_channel"],
    ["?missing=file&missingIn=yy", "missingIn unknown_language"],
    ["?missing=translation", "missingIn missing_language"],
    ["?missing=file", "missingIn missing_language"],
    ["?missingIn=es", "missing missing_language"],
  ],
  "GET /api/admin/books/export": [
    [
      "?missing=file&sort=odd&page=1",
      "page unknown_field",
      "sort invalid_value",
      "missingIn missing_language",
    ],
    ["?delimiter=pipe&timezone=Nowhere", "delimiter invalid_value", "timezone unknown_timezone"],
    ["?missing=file&missingIn=zz", "missingIn unknown_language"],
  ],
  "POST /api/admin/books/actions": [
    [{}, "bookIds invalid_type", "action invalid_type"],
    [
      { bookIds: [], action: { type: "addTags", tags: [""] }, other: 1 },
      "bookIds too_small",
      "action.tags.0 too_small",
      "other unknown_field",
    ],
    [{ bookIds: ["x"], action: { type: "archive", tags: ["a"] } }, "action.tags unknown_field"],
    [{ bookIds: ["x"], action: { type: "delete" } }, "action.type invalid_union"],
    [{ bookIds: x(1001), action: { type: "archive" } }, "bookIds invalid_type"],
  ],
  "PATCH /api/admin/books/reorder": [
    [{}, "bookIds exactly_one_needed"],
    [{ bookIds: null }, "bookIds exactly_one_needed"],
    [{ bookIds: ["a"], moves: [{ bookId: "a", sortOrder: 1 }] }, "bookIds exactly_one_needed"],
    [{ order: ["a"] }, "order unknown_field", "bookIds exactly_one_needed"],
    [{ bookIds: ["a", 1, ""] }, "bookIds.1 invalid_type", "bookIds.2 too_small"],
    [{ moves: [] }, "moves too_small"],
    [
      { moves: [{ bookId: "a", sortOrder: 1.5, id: 1 }] },
      "moves.0.sortOrder invalid_type",
      "moves.0.id unknown_field",
    ],
    [{ moves: [{ sortOrder: 2 ** 31 }] }, "moves.0.bookId invalid_type", "moves.0.sortOrder too_big"],
    [{ moves: [{ bookId: "a" }] }, "moves.0.sortOrder exactly_one_needed"],
    ["text", 415, "unsupported_media_type"],
  ],
  "POST /api/admin/books/{bookId}/translations": [
    [{}, "title invalid_type", NO_LANGUAGE],
    [{ languageCode: "!" }, "title invalid_type", "languageCode invalid_language_code"],
    [{ ...TITLE, languageCode: "spanish" }, "languageCode invalid_language_code"],
    [
      { ...TITLE, title: " ", description: 5, id: 1 },
      "title too_small",
      "description invalid_type",
      "id unknown_field",
    ],
    [{ title: "T" }, NO_LANGUAGE],
    [{ title: "T", languageCode: "de" }, "languageCode unknown_language"],
    [
      { title: "T", languageId: 99, languageCode: "de" },
      "languageId unknown_language",
      "languageCode unknown_language",
    ],
    [{ ...TITLE, languageId: "{otherLangId}" }, "languageId contradiction"],
    [{ title: "T", languageId: "2" }, "languageId invalid_type"],
    [{ ...TITLE, title: "a\0b" }, "title invalid_characters"],
    [{ ...TITLE, title: x(501) }, "title too_big"],
    [{ ...TITLE, authors: times(51, "Ana") }, "authors too_big"],
    [
      { ...TITLE, contributors: [{ role: "translator" }, { name: "Ben", role: x(101) }, "Chen"] },
      "contributors.0.name invalid_type",
      "contributors.1.role too_big",
      "contributors.2 invalid_type",
    ],
    [{ ...TITLE, publisher: x(301), license: x(2001) }, "publisher too_big", "license too_big"],
    [{ ...TITLE, isbn: "9783161484101" }, "isbn invalid_isbn"],
  ],
  "POST /api/admin/books/{bookId}/files": [
    [
      {},
      "languageCode invalid_type",
      "fileType invalid_value",
      "sourceType invalid_value",
      "cloudUrl invalid_type",
      "fileName invalid_type",
    ],
    [
      { ...LINK, sourceType: "local", fileSizeBytes: 1.5 },
      "sourceType invalid_value",
      "fileSizeBytes invalid_type",
    ],
    [{ ...LINK, cloudUrl: "javascript:1", fileName: "" }, "cloudUrl url_not_https", "fileName too_small"],
    [{ ...LINK, md5: "00", isActive: 0 }, "md5 unknown_field", "isActive unknown_field"],
    [
      { ...LINK, languageCode: "de", cloudUrl: "http://drive.google.com/" },
      "languageCode unknown_language",
      "cloudUrl url_not_https",
    ],
    refused("https://example.org:8443/a.pdf", "url_port_not_allowed"),
    refused("https://user:password@example.org/a.pdf", "url_with_credentials"),
    refused("https://127.0.0.1/a", "url_host_not_public"),
    refused("https://[::ffff:127.0.0.1]/a", "url_host_not_public"),
    refused("//example.org/a", "url_malformed"),
    refused(`https://example.org/${"é".repeat(1000)}`, "url_too_long"),
    refused(`https://example.org/${x(2048)}`, "too_big"),
    refused("https://drive.google.com.evil.example/a", "url_of_another_provider", "google_drive"),
    refused("https://evildropbox.com/a", "url_of_another_provider", "dropbox"),
    refused("https://example.org/a", "url_of_another_provider", "onedrive"),
  ],
  "PATCH /api/admin/books/{bookId}/files/{fileId}": [
    [{ fileName: "", cloudUrl: "" }, "fileName too_small", "cloudUrl too_small"],
    [{ sourceType: "ftp", fileSizeBytes: -1 }, "sourceType invalid_value", "fileSizeBytes too_small"],
    [
      { languageCode: "english", fileType: "exe" },
      "languageCode invalid_language_code",
      "fileType invalid_value",
    ],
    [
      { isActive: "1", id: 1, sha256: 1 },
      "isActive invalid_value",
      "id unknown_field",
      "sha256 unknown_field",
    ],
    [
      { fileType: "epub", fileSizeBytes: 5, sourceType: "local", languageCode: "de" },
      "fileType not_changeable",
      "fileSizeBytes not_changeable",
      "languageCode unknown_language",
    ],
  ],
  "POST /api/admin/languages": [[{}, "code invalid_type"], ...LANGUAGE],
  "PUT /api/admin/languages/{otherLangId}": LANGUAGE,
  "POST /api/admin/channels": [[{}, "name invalid_type"], ...CHANNEL],
  "PUT /api/admin/channels/{channelId}": CHANNEL,
  "GET /api/admin/channels/matrix": [
    ...LANGUAGE_OF_QUERY,
    [
      "?languageCode=es&page=1&limit=5&search=well",
      "page unknown_field",
      "limit unknown_field",
      "search unknown_field",
    ],
    ["?fields=published&languageCode=de", "languageCode unknown_language"],
    ["?fields=all&languageCode=es", "fields invalid_value"],
    [
      "?fields=published&languageCode=es&page=0&limit=x&sort=title",
      "page too_small",
      "limit invalid_format",
      "sort unknown_field",
    ],
    [`?fields=published&languageCode=es&search=${x(201)}`, "search too_big"],
  ],
  "GET /api/admin/channels/matrix/export": [
    ...LANGUAGE_OF_QUERY,
    ["?bom=yes&raw=2&languageCode=es&format=csv", ...CSV, "format unknown_field"],
  ],
  "POST /api/admin/channels/publications/toggle": [
    [{}, "bookId invalid_type", "channelId invalid_type", NO_LANGUAGE],
    [{ bookId: "{bookId}", channelId: "{channelId}" }, NO_LANGUAGE],
    [
      { bookId: "x", channelId: "x", languageCode: "!", languageId: "1", isPublished: 2, id: "x" },
      "languageCode invalid_language_code",
      "languageId invalid_type",
      "isPublished invalid_value",
      "id unknown_field",
    ],
    [
      { bookId: "well", channelId: "kids", languageCode: "de", languageId: 99 },
      "bookId unknown_book",
      "channelId unknown_channel",
      "languageCode unknown_language",
      "languageId unknown_language",
    ],
    [
      { bookId: "{bookId}", channelId: "{channelId}", languageCode: "es", languageId: "{otherLangId}" },
      "languageId contradiction",
    ],
  ],
  "POST /api/admin/books/bulk": [
    [{}, "books invalid_type"],
    [{ books: null }, "books invalid_type"],
    [{ books: { 0: { titleEn: "Well" } } }, "books invalid_type"],
    [
      { books: [], dryRun: true, items: [] },
      "books too_small",
      "dryRun unknown_field",
      "items unknown_field",
    ],
    [{ books: times(1001, { titleEn: "Well" }) }, "books too_big"],
  ],
  "POST /api/admin/books/bulk?dryRun=perhaps&force=true": [
    [{ book: [] }, "dryRun invalid_value", "force unknown_field", "books invalid_type", "book unknown_field"],
  ],
  "PUT /api/admin/channels/publications": [
    [{}, "changes invalid_type"],
    [[], "invalid_type"],
    [{ changes: [] }, "changes too_small"],
    [{ changes: { 0: ON } }, "changes invalid_type"],
    [{ changes: [null] }, "changes.0 invalid_type"],
    [{ changes: times(10_001, ON) }, "changes too_big"],
    [
      {
        changes: [
          { ...ON, isPublished: undefined },
          { ...ON, languageCode: "!", id: "x" },
        ],
        dryRun: true,
      },
      "changes.0.isPublished invalid_value",
      "changes.1.languageCode invalid_language_code",
      "changes.1.id unknown_field",
      "dryRun unknown_field",
    ],
  ],
  "PUT /api/admin/languages/{subLangId}/books": [
    [{}, "overrides invalid_type"],
    // An empty list is a mistake: its sender may think that it takes all overrides away.
    [{ overrides: [] }, "overrides too_small"],
    [{ overrides: times(10_001, hidden("x")) }, "overrides too_big"],
    [
      {
        overrides: [{ bookId: "{bookId}" }, { bookId: 7, isVisible: 2, slug: "x" }, hidden("")],
        mode: "all",
      },
      "overrides.0.isVisible invalid_value",
      "overrides.1.bookId invalid_type",
      "overrides.1.isVisible invalid_value",
      "overrides.1.slug unknown_field",
      "overrides.2.bookId too_small",
      "mode unknown_field",
    ],
    [
      { overrides: ["{bookId}", UNKNOWN_ID, "{bookId}", "the-deep-well"].map(hidden) },
      "overrides.1.bookId unknown_book",
      "overrides.2.bookId repeated_book",
      "overrides.3.bookId unknown_book",
    ],
    [{ overrides: [{ bookId: UNKNOWN_ID, isVisible: null }] }, "overrides.0.bookId unknown_book"],
  ],
  "PUT /api/admin/languages/{langId}/books": [[{ overrides: [hidden("x")] }, 400, "not_a_sub_language"]],
  "GET /api/admin/languages/{langId}/books": [[undefined, 400, "not_a_sub_language"]],
  "PUT /api/admin/languages/99/books": [[{ overrides: [hidden("x")] }, 404, "language_not_found"]],
  "GET /api/admin/languages/99/books": [[undefined, 404, "language_not_found"]],
  "PUT /api/admin/library": [
    [
      { name: x(301), offersAll: "yes", theme: 1 },
      "name too_big",
      "offersAll invalid_value",
      "theme unknown_field",
    ],
    [
      { contactFields: { phone: "maybe", fax: "off" } },
      "contactFields.phone invalid_value",
      "contactFields.fax unknown_field",
    ],
    ...["#fff", "1d5f8a", "#1d5f8g", "", "rgb(0,0,0)", "red; } body { }"].map(
      (accentColor): Rejection => [{ accentColor }, "accentColor invalid_format"],
    ),
    [
      { accentColor: null, contactFields: null, offersAll: null },
      "accentColor invalid_type",
      "contactFields invalid_type",
      "offersAll invalid_value",
    ],
  ],
  "PUT /api/admin/library/texts/es": [
    [
      { name: x(301), introduction: x(2001), about: x(20_001) },
      "name too_big",
      "introduction too_big",
      "about too_big",
    ],
    [
      { privacy: "p\u0000", consentVersion: x(101), markup: true },
      "privacy invalid_characters",
      "consentVersion too_big",
      "markup unknown_field",
    ],
  ],
  "PUT /api/admin/library/texts/de": [[{}, 404, "language_not_found"]],
  "GET /api/admin/library/texts/de": [[undefined, 404, "language_not_found"]],
  "DELETE /api/admin/library/texts/de": [[undefined, 404, "language_not_found"]],
  "GET /api/books": ["0", "-1", "1.5", "1e3", "0x10", "1 ", "１", "9007199254740993", "a"].map(
    (page): Rejection => [
      `?page=${encodeURIComponent(page)}&limit=0&languageCode=%21`,
      `page ${CODES[page] ?? "invalid_format"}`,
      "limit too_small",
      "languageCode invalid_language_code",
    ],
  ),
  ...Object.fromEntries(
    ["unknown", "the-deep-well", "%00", "'", UNKNOWN_ID].flatMap((id) => [
      [`GET /api/admin/books/${id}`, OF_NOTHING],
      [`GET /api/admin/books/${id}?preview=delete`, OF_NOTHING],
      [`PUT /api/admin/books/${id}`, [[{ titleEn: "Changed" }, 404, "book_not_found"]]],
      [`DELETE /api/admin/books/${id}`, OF_NOTHING],
      [`POST /api/admin/books/${id}/restore`, OF_NOTHING],
      [`POST /api/admin/books/${id}/translations`, [[TITLE, 404, "book_not_found"]]],
      [`GET /api/admin/books/${id}/files`, OF_NOTHING],
      [`POST /api/admin/books/${id}/files`, [[LINK, 404, "book_not_found"]]],
      [`GET /api/admin/books/${id}/covers`, OF_NOTHING],
    ]),
  ),
  ...Object.fromEntries(
    ["unknown", "kids", UNKNOWN_ID].map((id) => [
      `PUT /api/admin/channels/${id}`,
      [[{ name: "Mine" }, 404, "channel_not_found"]],
    ]),
  ),
});
