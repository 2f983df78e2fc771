/** The pages of the library, without scripts. */
import { notFound } from "../errors.ts";
import { anyone } from "../http/access.ts";
import { defineKeptRoute } from "../http/kept-route.ts";
import { formBody } from "../http/requests/body.ts";
import { content, empty, okImage, seeOther } from "../http/responses/responses.ts";
import { defineRoute, type KeptCaller } from "../http/route.ts";
import { type Campaign, libraryForm, libraryWholeForm } from "../schemas/download-requests.schemas.ts";
import {
  libraryBookParams,
  libraryCodeParams,
  libraryListQuery,
  libraryLogoParams,
  libraryQuery,
  libraryReadyQuery,
  libraryStyleParams,
} from "../schemas/library-pages.schemas.ts";
import type { LibraryReply, PageReply, Visit } from "../services/library/library-places.ts";
import type { ReadyReply, SubmitReply } from "../services/library/library-requests.service.ts";

const THE_PAGE = content("The page", "text/html");
/** Of a page whose address has the code of a language. */
const RESPONSES = {
  200: THE_PAGE,
  308: empty("Redirects to the canonical form of the address"),
  404: content("A page that leads the reader on", "text/html"),
} as const;

/** What these routes have in common. */
const PAGE = { databaseLimit: "record", hasProblemPages: "always", showsCatalogue: true } as const;

const CAMPAIGN =
  "Parameters of a campaign (`utm_source`, `utm_medium`, `utm_campaign`) are carried by the links and forms of the page, which then isn't cached.";

/** @param level how many levels the page is below `/` */
export const createVisit = (
  { count, acceptedLanguages }: KeptCaller,
  { utm_source, utm_medium, utm_campaign }: Campaign,
  level: number,
): Visit => ({
  root: "../".repeat(level),
  campaign: { utm_source, utm_medium, utm_campaign },
  acceptedLanguages,
  admit: () => count("list"),
});

export const toPage = <Status extends number>({ status, page }: Omit<PageReply<Status>, "kind">) => ({
  status,
  page,
});

function toReply(reply: LibraryReply, { root }: Visit) {
  if (reply.kind === "page") {
    const { status, page } = reply;
    return status === 200 ? toPage({ status, page }) : toPage({ status, page });
  }
  return { status: 308, empty: true, headers: { Location: root + reply.path } } as const;
}

/** What the forms have in common. */
const FORM = {
  method: "post",
  access: anyone,
  databaseLimit: "form",
  limit: "submit",
  hasProblemPages: "always",
  // A form of another site.
  problems: [403],
} as const;

const WRONG_FORM =
  "If a value isn't right, the response is the page with what was typed and a sentence at each such field (400).";

const FORM_RESPONSES = {
  303: empty("Redirects to the page that begins the download"),
  308: RESPONSES[308],
  400: content("The page with what was typed, and the errors", "text/html"),
  404: RESPONSES[404],
} as const;

function toFormReply(reply: SubmitReply, { root }: Visit) {
  if (reply.kind === "ready") return seeOther(root + reply.path);
  if (reply.kind === "page" && reply.status === 400)
    return toPage({ status: reply.status, page: reply.page });
  return reply.kind === "page"
    ? toPage({ status: 404 as const, page: reply.page })
    : ({ status: 308, empty: true, headers: { Location: root + reply.path } } as const);
}

/** What the pages after the forms have in common. */
const READY = {
  method: "get",
  access: anyone,
  limit: "download",
  databaseLimit: "record",
  hasProblemPages: "always",
  isCompressed: true,
  responses: { ...RESPONSES, 410: content("The link has expired; the page can renew it", "text/html") },
} as const;

const READY_DESCRIPTION =
  "Returns the HTML page to which a form leads: it begins the download, and names the file and how long the link works. If the reader must confirm the address first, it says so, and has a button that begins the download after that. It counts nothing.";

function toReadyReply(reply: ReadyReply, visit: Visit) {
  if (reply.kind === "page" && reply.status === 410)
    return toPage({ status: reply.status, page: reply.page });
  if (reply.kind === "moved") return toReply(reply, visit);
  const { status, page } = reply;
  return toReply({ kind: "page", status: status === 200 ? 200 : 404, page }, visit);
}

export const libraryPageRoutes = [
  defineKeptRoute({
    ...PAGE,
    id: "getLibraryLanguages",
    path: "/library",
    summary: "Show the languages of the library",
    description: `Returns an HTML page with all languages in which books are published. ${CAMPAIGN}`,
    query: libraryQuery,
    responses: { 200: THE_PAGE },
    problems: [404],
    handle: async ({ query, ...caller }, { libraryPages }) =>
      toPage(await libraryPages.showLanguages(createVisit(caller, query, 0))),
  }),
  defineKeptRoute({
    ...PAGE,
    id: "getLibraryList",
    path: "/library/{code}",
    summary: "Show the books of a language",
    description: `Returns an HTML page with 24 books. Requests with \`q\` count against \`RATE_LIMIT_SEARCH\`. ${CAMPAIGN}`,
    limited: { limit: "search", isCounted: ({ q }) => q !== undefined },
    params: libraryCodeParams,
    query: libraryListQuery,
    responses: RESPONSES,
    describePage: async ({ code }) => ({ language: code }),
    handle: async ({ params: { code }, query, ...caller }, { libraryPages }) => {
      const visit = createVisit(caller, query, 1);
      return toReply(await libraryPages.showList(code, query, visit), visit);
    },
  }),
  defineKeptRoute({
    ...PAGE,
    id: "getLibraryBook",
    path: "/library/{code}/books/{slug}",
    summary: "Show a book",
    description: `Returns an HTML page with the book and the form for its download. ${CAMPAIGN}`,
    params: libraryBookParams,
    query: libraryQuery,
    responses: RESPONSES,
    handle: async ({ params: { code, slug }, query, ...caller }, { libraryPages }) => {
      const visit = createVisit(caller, query, 3);
      return toReply(await libraryPages.showBook(code, slug, visit), visit);
    },
  }),
  defineKeptRoute({
    ...PAGE,
    id: "getLibraryWhole",
    path: "/library/{code}/all",
    summary: "Show all books of a language as one download",
    description: `Returns an HTML page with the form for the ZIP of a language. ${CAMPAIGN}`,
    params: libraryCodeParams,
    query: libraryQuery,
    responses: RESPONSES,
    handle: async ({ params: { code }, query, ...caller }, { libraryPages }) => {
      const visit = createVisit(caller, query, 2);
      return toReply(await libraryPages.showWhole(code, visit), visit);
    },
  }),
  ...(["about", "privacy"] as const).map((name) =>
    defineKeptRoute({
      ...PAGE,
      id: name === "about" ? "getLibraryAbout" : "getLibraryPrivacy",
      path: `/library/{code}/${name}`,
      summary: name === "about" ? "Show who runs the library" : "Show what the library stores of readers",
      description: `Returns an HTML page with the organisation's own text. ${CAMPAIGN}`,
      params: libraryCodeParams,
      query: libraryQuery,
      responses: RESPONSES,
      handle: async ({ params: { code }, query, ...caller }, { libraryPages }) => {
        const visit = createVisit(caller, query, 2);
        return toReply(await libraryPages.showText(code, name, visit), visit);
      },
    }),
  ),
  defineRoute({
    ...FORM,
    id: "requestLibraryBook",
    path: "/library/{code}/books/{slug}",
    summary: "Send the form of a book",
    description: `Takes the fields of \`POST /api/download/submit\` as an HTML form; \`slug\` and \`languageCode\` are those of the address. The browser is redirected to a page that begins the download. ${WRONG_FORM}`,
    params: libraryBookParams,
    query: libraryQuery,
    body: formBody(libraryForm),
    responses: FORM_RESPONSES,
    describePage: async ({ code }) => ({ language: code }),
    handle: async ({ params, query, body, reader, ...caller }, { libraryRequests }) => {
      const visit = createVisit(caller, query, 3);
      return toFormReply(await libraryRequests.submitBook(params, body, { visit, client: reader }), visit);
    },
  }),
  defineRoute({
    ...FORM,
    id: "requestLibraryWhole",
    path: "/library/{code}/all",
    summary: "Send the form of a whole language",
    description: `Takes the fields of \`POST /api/download/submit-all\` as an HTML form; \`languageCode\` is that of the address. The browser is redirected to a page that begins the download. ${WRONG_FORM}`,
    params: libraryCodeParams,
    query: libraryQuery,
    body: formBody(libraryWholeForm),
    responses: FORM_RESPONSES,
    describePage: async ({ code }) => ({ language: code }),
    handle: async ({ params: { code }, query, body, reader, ...caller }, { libraryRequests }) => {
      const visit = createVisit(caller, query, 2);
      return toFormReply(await libraryRequests.submitWhole(code, body, { visit, client: reader }), visit);
    },
  }),
  defineRoute({
    ...READY,
    id: "getLibraryBookReady",
    path: "/library/{code}/books/{slug}/ready",
    summary: "Show that the download of a book begins",
    description: READY_DESCRIPTION,
    params: libraryBookParams,
    query: libraryReadyQuery,
    handle: async ({ params, query, reader: client, ...caller }, { libraryRequests }) => {
      const visit = createVisit(caller, query, 4);
      const asked = { ...params, token: query.token };
      return toReadyReply(await libraryRequests.showReady(asked, { visit, client }), visit);
    },
  }),
  defineRoute({
    ...READY,
    id: "getLibraryWholeReady",
    path: "/library/{code}/all/ready",
    summary: "Show that the download of a whole language begins",
    description: READY_DESCRIPTION,
    params: libraryCodeParams,
    query: libraryReadyQuery,
    handle: async ({ params: { code }, query, reader: client, ...caller }, { libraryRequests }) => {
      const visit = createVisit(caller, query, 3);
      const asked = { code, slug: undefined, token: query.token };
      return toReadyReply(await libraryRequests.showReady(asked, { visit, client }), visit);
    },
  }),
  defineRoute({
    id: "getLibraryStyle",
    method: "get",
    path: "/library/style-{hash}.css",
    summary: "Get the style sheet of pages for readers",
    description:
      "The address changes with the style sheet, which can be kept for good. Another hash gets the current one.",
    access: anyone,
    params: libraryStyleParams,
    responses: { 200: content("The style sheet", "text/css") },
    isCacheable: true,
    isCompressed: true,
    handle: async ({ params: { hash } }, { libraryPages }) => {
      const { document, isCurrent } = await libraryPages.readStyle(hash);
      return { status: 200 as const, content: document, isImmutable: isCurrent };
    },
  }),
  defineRoute({
    id: "getLibraryPageLogo",
    method: "get",
    path: "/library/logo-{hash}.png",
    summary: "Get the logo of the organisation",
    description: "The address changes with the picture, which can be kept for good.",
    access: anyone,
    params: libraryLogoParams,
    responses: { 200: content("The logo", "image/png") },
    problems: [404],
    isCacheable: true,
    handle: async ({ params: { hash } }, { libraryPages }) => {
      const logo = await libraryPages.readLogo(hash);
      if (!logo) throw notFound("not_found", "This is not the logo.");
      const { bytes, contentType, sha256 } = logo;
      return { ...okImage({ bytes, contentType, etag: `"${sha256}"` }), isImmutable: true };
    },
  }),
];
