// Requests that mean harm, or that come from something broken.
import fc from "fast-check";
import { HOSTILE_TEXTS } from "./hostile-texts.ts";
import { type Body, type Draft, formatTarget, type Headers } from "./request.ts";

/** The same request with something hostile in it; of those that have a body, half the time in the body. */
export function createHostile(draft: Draft): fc.Arbitrary<Draft> {
  const around = fc.oneof(
    fc.constantFrom(...TARGETS).map((spoil) => ({ ...draft, target: spoil(formatTarget(draft)) })),
    fc.constantFrom(...HEADERS).map((headers) => ({ ...draft, headers })),
    fc.constantFrom(...METHODS).map((method) => ({ ...draft, method })),
    fc
      .constantFrom(...QUERIES)
      .map((query) => ({ ...draft, target: `${formatTarget({ ...draft, query: {} })}?${query}` })),
    fc.constantFrom(...HOSTILE_TEXTS).map((text) => ({ ...draft, params: everyParam(draft, text) })),
  );
  return draft.body.kind === "none" ? around : fc.oneof(around, createBodies(draft));
}

const everyParam = ({ params }: Draft, text: string) =>
  Object.fromEntries(Object.keys(params).map((name) => [name, text]));

const TARGETS: readonly ((target: string) => string)[] = [
  (target) => `${target}%`,
  (target) => `${target}%zz`,
  (target) => target.replace(/[^/]*$/, "%ff%fe"),
  (target) => target.replace(/[^/]*$/, "%c0%ae%c0%ae"),
  (target) => target.replace(/[^/]*$/, "%00"),
  (target) => target.replace(/[^/]*$/, "\xff"),
  (target) => target.replace(/[^/?]*(\?|$)/, "..%2f..%2fetc%2fpasswd$1"),
  (target) => target.replace("/api/", "//api//"),
  (target) => target.replace("/api/", "/API/"),
  (target) => target.replace("/api/", "/./api/"),
  (target) => target.replace("/api/", "/x/../api/"),
  (target) => target.replace("/api/", "/%61pi/"),
  (target) => `${target}/`,
  (target) => `${target};a=b`,
  (target) => `http://elsewhere.example${target}`,
  (target) => `${target}/${"a".repeat(3000)}`,
  () => `/${"a/".repeat(2000)}`,
  () => "*",
];

const LONG = "x".repeat(6000);

const QUERIES: readonly string[] = [
  "%",
  "page=%ff",
  "search=%ED%A0%80",
  "page=1&page=2",
  "page[]=1&page[a][b]=2",
  "__proto__[a]=1&constructor=2",
  "page=%00",
  "=&&&==",
  `search=${LONG}`,
  `a${"&a".repeat(2000)}`,
  "?#",
  "limit=1e3",
  "startDate=2026-02-30&endDate=x&timezone=../..",
];

const HEADERS: readonly Headers[] = [
  [["Range", "bytes=-1,0-,9-3,99999999999999999999-"]],
  [["Range", `bytes=${"0-0,".repeat(1000)}1-1`]],
  [["If-None-Match", 'W/"a", "b", *']],
  [["If-Modified-Since", "not a date"]],
  [
    ["If-Range", '"x"'],
    ["Range", "bytes=0-0"],
  ],
  [["Accept", "text/html;q=x, ;;,*/*;q=-1"]],
  [["Accept", "text/html"]],
  [["Accept-Encoding", "gzip, br;q=0, \xff"]],
  [["Content-Encoding", "gzip"]],
  [["Content-Type", "application/json; charset=utf-7"]],
  [["Content-Type", "text/plain"]],
  [["Content-Type", "multipart/form-data"]],
  [["Content-Type", "multipart/form-data; boundary="]],
  [["Content-Type", `multipart/form-data; boundary=${"b".repeat(300)}`]],
  [["Content-Type", "\xff/\xfe"]],
  [["Cookie", "auth.session-token=j:{}; a=%zz; =;;"]],
  [["Cookie", `auth.session-token=${LONG}`]],
  [["Authorization", "Bearer"]],
  [["Authorization", "Basic Og=="]],
  [["Authorization", `Bearer ${LONG}`]],
  [["Authorization", "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0."]],
  [
    ["X-Forwarded-For", "::1, 999.1.1.1, \xff"],
    ["X-Forwarded-Proto", "javascript"],
    ["Forwarded", "for=_x"],
  ],
  [
    ["X-HTTP-Method-Override", "DELETE"],
    ["X-Original-URL", "/api/admin/users"],
  ],
  [["Origin", "null"]],
  [["Sec-Fetch-Site", "cross-site"]],
  [
    ["Referer", "\xff\xfe"],
    ["User-Agent", ""],
  ],
  [["User-Agent", `=cmd|' /C calc'!A0 ${LONG}`]],
  [["Sec-Purpose", "prefetch"]],
  [["X-Request-Id", "a\tb"]],
  [["Expect", "100-continue"]],
  [
    ["Upgrade", "h2c"],
    ["Connection", "Upgrade, HTTP2-Settings"],
  ],
];

const METHODS = [
  "OPTIONS",
  "TRACE",
  "PROPFIND",
  "PURGE",
  "QUERY",
  "MKCOL",
  "SEARCH",
  "PATCH",
  "DELETE",
  "HEAD",
];

/** Deeper than any stack allows, were it read by calls. */
const DEPTH = 100_000;

const JSON_TEXTS: readonly (string | Buffer)[] = [
  "",
  " ",
  "{",
  "nul",
  "{}{}",
  '{"a":1,}',
  "[1e999]",
  '"\\ud800"',
  '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{}}}',
  '{"titleEn":"a","titleEn":"b"}',
  `${"[".repeat(DEPTH)}${"]".repeat(DEPTH)}`,
  '{"a":'.repeat(20_000),
  `{"books":[${'{"titleEn":1},'.repeat(1500)}{}]}`,
  `[${"0,".repeat(400_000)}0]`,
  Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
  Buffer.from([0x22, 0xc0, 0x80, 0x22]),
  "\ufeff{}",
];

const B = "------boundary-of-the-fuzz";
const FORM_TYPE = `multipart/form-data; boundary=${B.slice(2)}`;
const DISPOSITION = "Content-Disposition: form-data;";
const FORMS: readonly string[] = [
  "",
  "--",
  `${B}--`,
  `${B}\r\n`,
  `${B}\r\n\r\n\r\n${B}--`,
  `${B}\r\n${DISPOSITION} name="file"; filename="a.txt"\r\n\r\nA book.`,
  `${B}\r\n${DISPOSITION} name="file"; filename="\0../../a\r\n\r\nA book.\r\n${B}--\r\n`,
  `${B}\r\n${DISPOSITION} filename*=UTF-8''%ff\r\n\r\nA book.\r\n${B}--\r\n`,
  `${B}\r\n${DISPOSITION} name="__proto__[a]"\r\n\r\n1\r\n${B}--\r\n`,
  `${B}\r\n${DISPOSITION} name="file"; filename="a"\r\nContent-Transfer-Encoding: base64\r\n\r\n!!\r\n${B}--\r\n`,
  `${`${B}\r\n${DISPOSITION} name="languageCode"\r\n\r\nen\r\n`.repeat(300)}${B}--\r\n`,
  `${B}\r\n${`X-${"y".repeat(20)}: z\r\n`.repeat(3000)}\r\n\r\n${B}--\r\n`,
  `${B}\r\n${DISPOSITION} name="languageCode"\r\n\r\n${"x".repeat(1_100_000)}\r\n${B}--\r\n`,
];

const TYPES = ["application/json", "text/plain", "application/x-www-form-urlencoded", "image/svg+xml", "x"];

function createBodies(draft: Draft): fc.Arbitrary<Draft> {
  const withBody = (body: Body): Draft => ({ ...draft, body });
  const withBytes = (type: string) => (given: string | Uint8Array) =>
    withBody({ kind: "bytes", type, bytes: Buffer.from(given) });
  const forms = fc.constantFrom(...FORMS).map(withBytes(FORM_TYPE));
  return fc.oneof(
    fc
      .tuple(fc.constantFrom(...TYPES), fc.constantFrom(...JSON_TEXTS))
      .map(([type, text]) => withBytes(type)(text)),
    fc.constantFrom(...JSON_TEXTS).map(withBytes("application/json")),
    fc.uint8Array({ maxLength: 2000 }).map(withBytes("application/json")),
    fc.json({ maxDepth: 5 }).map(withBytes("application/json")),
    fc.constant(withBody({ kind: "none" })),
    // A form is only read where one is taken.
    { arbitrary: forms, weight: draft.body.kind === "json" ? 1 : 6 },
  );
}
