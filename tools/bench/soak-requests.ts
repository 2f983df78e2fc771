/** What the soak asks for: what readers do above all, some administration, and some that is refused. */
import { z } from "zod";
import { ADMIN } from "./service-process.ts";
import type { SoakCatalogue } from "./soak-catalogue.ts";

export interface SoakRequest {
  path: string;
  method?: "GET" | "HEAD" | "POST" | "PUT";
  headers?: Record<string, string>;
  body?: string;
  /** What it may be answered with; 200 without any. */
  statuses?: readonly number[];
  /** To leave once the first bytes are there. */
  isLeft?: boolean;
  /** Gets the response's JSON. */
  take?: (response: unknown) => void;
}

interface Kind {
  /** How many of a thousand requests. */
  share: number;
  /** @param n how many of this kind were before it */
  request: (n: number) => SoakRequest;
}

/** Of readers who come back: each after a tenth of the requests. */
const READERS = 8000;
const WORDS = ["book", "number 7", "é", "nothing", "1", "large"];
const WIDTHS = [160, 320];
const ACCEPTED = ["image/avif,image/webp,*/*", "*/*"];
/** After so many of their writes titles change, and with them what is drawn of them: twice in a tenth of the requests. */
const TITLES_STAY = 400;
/** Books whose covers are looked at: drawing one takes a hundred times as long as sending one. */
const COVERED = 10;
const BROWSERS = ["Windows NT 10.0; Win64; x64", "X11; Linux x86_64", "Macintosh; Intel Mac OS X 10.15"];
const REPORTS = ["by-date", "by-book", "by-country", "by-language", "by-device", "by-campaign", "summary"];
/** Those at hand of a kind: the oldest aren't ten minutes old. */
const LINKS = 50;
/** A prime, so that all turns come. */
const STRIDE = 617;

const pick = <T>(things: readonly T[], number: number): T => {
  const thing = things[Math.floor(number) % things.length];
  if (thing === undefined) throw new Error("There is nothing to pick from");
  return thing;
};

/** @returns what makes one request after the other; all kinds come in turn, well mixed */
export function createSoakRequests(catalogue: SoakCatalogue): () => SoakRequest {
  const links = {
    files: [...catalogue.links],
    archives: [...catalogue.archiveLinks],
    large: [...catalogue.largeLinks],
  };
  const kinds = [
    ...createPublicKinds(catalogue),
    ...downloadKinds(catalogue, links),
    ...createAdminKinds(catalogue),
    ...createRejectedKinds(catalogue),
  ].map((kind) => ({ ...kind, asked: 0 }));
  const turns = kinds.flatMap((kind) => Array.from({ length: kind.share }, () => kind));
  let turn = 0;
  return () => {
    turn += STRIDE;
    const kind = pick(turns, turn);
    return kind.request(kind.asked++);
  };
}

const createPublicKinds = ({ books, languages }: SoakCatalogue): Kind[] => [
  {
    share: 250,
    request: (n) => ({ path: `/api/books?languageCode=${pick(languages, n / 3)}&page=${1 + (n % 3)}` }),
  },
  { share: 50, request: (n) => ({ path: `/api/books?limit=${1 + (n % 100)}` }) },
  { share: 50, request: (n) => ({ path: `/api/books?search=${encodeURIComponent(pick(WORDS, n))}` }) },
  { share: 150, request: (n) => ({ path: `/api/books/${pick(books, n).slug}` }) },
  {
    share: 120,
    request: (n) => ({
      path: `/api/books/${pick(books, n % COVERED).slug}/cover?languageCode=${pick(languages, n / 10)}&width=${pick(WIDTHS, n / 50)}`,
      headers: { accept: pick(ACCEPTED, n / 100) },
    }),
  },
  { share: 30, request: () => ({ path: "/api/languages" }) },
  { share: 20, request: () => ({ path: "/api/health" }) },
  { share: 3, request: () => ({ path: "/api/openapi.json" }) },
  { share: 5, request: () => ({ path: "/api/favicon" }) },
];

const link = z.object({ downloadUrl: z.string() });

interface Links {
  files: string[];
  archives: string[];
  large: string[];
}

function downloadKinds({ books, languages, large }: SoakCatalogue, links: Links): Kind[] {
  const askFor = (n: number, path: string, asked: object, into: string[]): SoakRequest => ({
    path: `/api/download/${path}?utm_source=soak`,
    ...post({
      languageCode: pick(languages, n / 40),
      ...asked,
      contact: { email: `reader${n % READERS}@example.org`, firstName: "Sara" },
      consent: { marketing: n % 2 === 0, textVersion: "2026-01" },
    }),
    take: (response) => {
      into.push(link.parse(response).downloadUrl);
      if (into.length > LINKS) into.shift();
    },
  });
  return [
    { share: 80, request: (n) => askFor(n, "submit", { slug: pick(books, n).slug }, links.files) },
    { share: 2, request: (n) => askFor(n, "submit-all", {}, links.archives) },
    { share: 1, request: (n) => askFor(n, "submit", large, links.large) },
    { share: 80, request: (n) => ({ path: pick(links.files, n), headers: browser(n) }) },
    { share: 10, request: (n) => ({ path: pick(links.files, n), method: "HEAD" }) },
    {
      share: 20,
      // The whole file, if it was replaced since the link was made.
      request: (n) => ({
        path: pick(links.files, n),
        headers: { range: "bytes=100-" },
        statuses: [200, 206],
      }),
    },
    { share: 3, request: (n) => ({ path: pick(links.archives, n), headers: browser(n) }) },
    { share: 4, request: (n) => ({ path: pick(links.large, n), isLeft: true }) },
  ];
}

function createAdminKinds({ books, languages, cookie }: SoakCatalogue): Kind[] {
  const as = { headers: { cookie } };
  const bookPath = (n: number) => `/api/admin/books/${pick(books, n).id}`;
  return [
    { share: 15, request: (n) => ({ path: `/api/admin/books?page=${1 + (n % 3)}`, ...as }) },
    { share: 10, request: (n) => ({ path: bookPath(n), ...as }) },
    { share: 10, request: (n) => ({ path: `/api/admin/contacts?search=reader${n % READERS}`, ...as }) },
    { share: 10, request: (n) => ({ path: `/api/admin/analytics/${pick(REPORTS, n)}`, ...as }) },
    { share: 5, request: () => ({ path: "/api/admin/analytics/downloads?limit=20", ...as }) },
    { share: 5, request: () => ({ path: "/api/admin/audit?limit=20", ...as }) },
    { share: 5, request: () => ({ path: "/api/admin/channels/matrix?languageCode=en", ...as }) },
    {
      share: 8,
      request: (n) => ({
        path: `${bookPath(n)}/translations`,
        statuses: [200, 201],
        ...post(
          {
            languageCode: pick(languages, n / 40),
            title: `Title ${Math.floor(n / TITLES_STAY)}`,
            description: "d".repeat(n % 5000),
          },
          cookie,
        ),
      }),
    },
    {
      share: 4,
      request: (n) => ({
        path: bookPath(n),
        ...post({ description: `Description ${n}` }, cookie),
        method: "PUT",
      }),
    },
    {
      share: 4,
      request: (n) => ({
        path: `${bookPath(n)}/files/${pick(pick(books, n).fileIds, n / 40)}`,
        method: "PUT",
        headers: { cookie, "content-type": "application/octet-stream" },
        body: `The text of book ${n}.\n`.repeat(1500),
      }),
    },
  ];
}

const createRejectedKinds = ({ books, cookie }: SoakCatalogue): Kind[] => [
  { share: 10, request: (n) => ({ path: `/api/books/no-book-${n}`, statuses: [404] }) },
  { share: 5, request: (n) => ({ path: `/api/download/no-token-${n}`, statuses: [404] }) },
  { share: 10, request: () => ({ path: "/api/admin/books", statuses: [401] }) },
  { share: 5, request: (n) => ({ path: "/api/books", ...post({ n }), statuses: [405] }) },
  { share: 5, request: () => ({ path: "/api/download/submit", ...post({ slug: 1 }), statuses: [400] }) },
  {
    share: 5,
    request: (n) => ({
      path: `/api/admin/books/${pick(books, n).id}/files`,
      method: "POST",
      headers: { cookie, "content-type": "multipart/form-data; boundary=b" },
      body: `--b\r\nContent-Disposition: form-data; name="file"; filename="cut.txt"\r\n\r\n${"text\n".repeat(n % 20_000)}`,
      statuses: [400],
    }),
  },
  {
    share: 2,
    request: () => ({ path: "/api/auth/login", ...post({ ...ADMIN, password: "wrong" }), statuses: [401] }),
  },
];

const browser = (n: number) => ({
  "user-agent": `Mozilla/5.0 (${pick(BROWSERS, n)}; rv:140.0) Gecko/20100101 Firefox/140.0`,
});

const post = (value: object, cookie?: string) => ({
  method: "POST" as const,
  headers: { "content-type": "application/json", ...(cookie !== undefined && { cookie }) },
  body: JSON.stringify(value),
});
