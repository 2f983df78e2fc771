/** The public API: published books, download requests and downloads. */
import { anyone, anyoneOrKey } from "../http/access.ts";
import { defineKeptRoute } from "../http/kept-route.ts";
import { jsonOrForm } from "../http/requests/body.ts";
import { addressKey } from "../http/requests/rate-limit.ts";
import {
  content,
  delivered,
  empty,
  json,
  ok,
  okCached,
  okImage,
  seeOther,
} from "../http/responses/responses.ts";
import { defineRoute } from "../http/route.ts";
import { COVER_CONTENT_TYPES, publicCoverQuery } from "../schemas/covers.schemas.ts";
import {
  anonymousSubmitAllRequest,
  anonymousSubmitRequest,
  campaignQuery,
  linkParams,
  type ReaderForm,
  renewalResponse,
  submitAllForm,
  submitAllRequest,
  submitAllResponse,
  submitForm,
  submitRequest,
  submitResponse,
} from "../schemas/download-requests.schemas.ts";
import { FILE_MEDIA_TYPES } from "../schemas/file-types.ts";
import {
  publicBookDetails,
  publicBookList,
  publicBookListQuery,
  publicBookParams,
  publicBookQuery,
  publicLanguageList,
} from "../schemas/public.schemas.ts";
import type { DeliveriesService } from "../services/downloads/deliveries.service.ts";
import type { Client, Reader } from "../services/shared/actor.ts";

/** Sites with a server of their own submit the forms of many readers from one address. */
const ON_BEHALF =
  "A website that submits the form from its own server sends an API key with the scope `submit_downloads`, and describes the reader in `reader`, which is recorded instead of the caller. Rate limits then apply to `reader.ipAddress` or, if it is omitted, to the caller's address.";

/** A page without scripts can submit the forms, too. */
const AS_FORM =
  "A page without scripts can send the same fields as an HTML form, with the fields of `contact` at the top level. The browser is then redirected to the download (303), and errors are shown as a page. A form on another website is rejected unless `CORS_ORIGINS` or `PUBLIC_SITE_URL` contains that website.";
const SEE_OTHER = "Response to an HTML form: redirects to the download";

/** Only a site with a key describes the reader. */
interface SubmittedForm {
  reader?: ReaderForm | undefined;
}

const limitByReader = ({ body, reader: caller }: { body: SubmittedForm; reader: Reader }) => ({
  address: body.reader?.ipAddress ?? caller.address,
});

/** The reader whom the site describes, or else the client. */
const describeReader = ({ reader: named }: SubmittedForm, caller: Reader): Client =>
  named ? { ...named, address: named.ipAddress ?? "" } : caller;

/** @param url of the operation that renews the link, relative to the page */
const linkPage = (
  { languageCode, renewable, withheld }: Awaited<ReturnType<DeliveriesService["describe"]>>,
  url: string,
) => ({
  language: languageCode,
  renewal: renewable && { url, title: renewable.title, languageCode },
  isLetterDelayed: withheld?.isDelayed,
});

/** For a redirect relative to the request, which a proxy may serve below a path of its own. */
const tokenOf = ({ downloadUrl }: { downloadUrl: string }) =>
  downloadUrl.slice(downloadUrl.lastIndexOf("/") + 1);

export const publicRoutes = [
  defineKeptRoute({
    id: "listPublishedBooks",
    path: "/api/books",
    summary: "List published books",
    description:
      "If `languageCode` is omitted, the language is the one whose custom domain is the request's host; if there is none, all languages are included. Requests with `search` count against `RATE_LIMIT_SEARCH`. Others count against `RATE_LIMIT_LIST` if their page isn't cached: the first request for it after a change of the catalogue.",
    limited: { limit: "search", isCounted: ({ search }) => search !== undefined },
    query: publicBookListQuery,
    responses: { 200: json("A page of published books", publicBookList) },
    problems: [404],
    showsCatalogue: true,
    handle: async ({ query, host, count }, { publicCatalogue }) => {
      const isCounted = query.search !== undefined;
      return okCached(await publicCatalogue.list(query, host(), isCounted ? undefined : () => count("list")));
    },
  }),
  defineKeptRoute({
    id: "getPublishedBook",
    path: "/api/books/{slugOrId}",
    databaseLimit: "record",
    summary: "Get a published book in all its languages",
    description:
      "Returns the title and description in every language in which the book is published, and all its files. A book that isn't published in any language returns 404.",
    params: publicBookParams,
    query: publicBookQuery,
    responses: { 200: json("The book", publicBookDetails) },
    showsCatalogue: true,
    handle: async ({ params, query }, { publicCatalogue }) =>
      okCached(await publicCatalogue.readDetails(params.slugOrId, query.languageCode)),
  }),
  defineRoute({
    id: "getPublishedCover",
    method: "get",
    path: "/api/books/{slugOrId}/cover",
    databaseLimit: "record",
    summary: "Get the cover of a published book",
    description:
      "Returns the first of these that exists: the cover in `languageCode`, the cover in its parent language, the default cover, the English cover, a cover in any other language, a generated cover with the title. A published book therefore has a cover for every well-formed `languageCode`. The image is WebP or AVIF if the `Accept` header lists it. An image narrower than `width` is not enlarged.",
    access: anyone,
    params: publicBookParams,
    query: publicCoverQuery,
    responses: { 200: content("The cover", ...COVER_CONTENT_TYPES) },
    problems: [503],
    isCacheable: true,
    showsCatalogue: true,
    handle: async ({ params, query, accepted, reader }, { publicCovers }) => {
      const asker = { kind: "reader", key: addressKey(reader.address) } as const;
      return okImage(await publicCovers.readImage(params.slugOrId, query, accepted(), asker));
    },
  }),
  defineKeptRoute({
    id: "listPublicLanguages",
    path: "/api/languages",
    summary: "List languages with published books",
    description:
      "Returns active languages that have at least one published book, with the number of books in each.",
    responses: { 200: json("The languages", publicLanguageList) },
    showsCatalogue: true,
    handle: async (_, { publicCatalogue }) => okCached(await publicCatalogue.listLanguages()),
  }),
  defineRoute({
    id: "requestDownload",
    method: "post",
    path: "/api/download/submit",
    databaseLimit: "form",
    summary: "Request the download of a book",
    description: `Returns a download link that is valid for ten minutes. Unknown fields are ignored. ${ON_BEHALF} ${AS_FORM}`,
    access: anyoneOrKey("submit_downloads"),
    limit: "submit",
    limitBy: limitByReader,
    query: campaignQuery,
    body: jsonOrForm(submitRequest, submitForm),
    anonymousBody: jsonOrForm(anonymousSubmitRequest, submitForm),
    responses: { 200: json("The link", submitResponse), 303: empty(SEE_OTHER) },
    problems: [404],
    hasProblemPages: true,
    handle: async ({ body, query, reader, isPageForm }, { downloads }) => {
      const link = await downloads.submit(body, query, describeReader(body, reader));
      return isPageForm() ? seeOther(`./${tokenOf(link)}`) : ok(link);
    },
  }),
  defineRoute({
    id: "requestLanguageDownload",
    method: "post",
    path: "/api/download/submit-all",
    databaseLimit: "form",
    summary: "Request the download of all books in a language",
    description: `Returns a link to a ZIP of all active files of the language, valid for ten minutes. Unknown fields are ignored. ${ON_BEHALF} ${AS_FORM}`,
    access: anyoneOrKey("submit_downloads"),
    limit: "submit",
    limitBy: limitByReader,
    query: campaignQuery,
    body: jsonOrForm(submitAllRequest, submitAllForm),
    anonymousBody: jsonOrForm(anonymousSubmitAllRequest, submitAllForm),
    responses: { 200: json("The link", submitAllResponse), 303: empty(SEE_OTHER) },
    problems: [404],
    hasProblemPages: true,
    handle: async ({ body, query, reader, isPageForm }, { downloads }) => {
      const link = await downloads.submitAll(body, query, describeReader(body, reader));
      return isPageForm() ? seeOther(`./${tokenOf(link)}`) : ok(link);
    },
  }),
  defineRoute({
    id: "downloadFile",
    method: "get",
    path: "/api/download/{token}",
    databaseLimit: "record",
    summary: "Download a file or the ZIP of a language",
    description:
      "If the language requires it (`EMAIL_CONFIRMATION`), the response is 403 `email_not_confirmed` until the button in a letter to the reader is pressed, but in browsers with the cookie `mail.confirmed` of an earlier press; nothing is counted before. Supports range and conditional requests. The link can be used repeatedly until it expires. The content can change meanwhile: a range without `If-Range` is sent only of the version that the link first delivered (before that, of the version at the time of the form), otherwise the response is 200 with the whole file. A file in cloud storage is a redirect (302). With `DELIVERY=redirect`, other files and ZIPs are redirects to the store, too, where the address works for one minute; HEAD requests, several ranges and ranges of other versions are not redirected. The store's `ETag` differs from that of HEAD, and plain text, FB2 and HTML have the type `application/octet-stream` there. With `DELIVERY=accel`, nginx sends files and ZIPs in this place, with its own `ETag` and `Last-Modified`, which HEAD has, too.",
    access: anyone,
    limit: "download",
    params: linkParams,
    responses: {
      200: content("The file", ...FILE_MEDIA_TYPES),
      206: content("The requested part of the file", ...FILE_MEDIA_TYPES),
      302: empty("Redirects to the file in cloud storage or in the storage of the service"),
      304: empty("The client has this version of the file"),
    },
    problems: [403, 410, 412, 416, 503],
    hasProblemPages: true,
    describePage: async ({ token }, { deliveries }, { address }) =>
      linkPage(await deliveries.describe(token, address), `${token}/renewal`),
    handle: async ({ params, reader, confirmedBrowser }, { deliveries }) =>
      delivered(await deliveries.open(params.token, reader, confirmedBrowser())),
  }),
  defineRoute({
    id: "renewDownloadLink",
    method: "post",
    path: "/api/download/{token}/renewal",
    databaseLimit: "form",
    summary: "Renew a download link",
    description:
      "Returns a new link to the same file or ZIP, so that a reader whose link has expired doesn't have to fill in the form again. A link can be renewed repeatedly until 24 hours after the form was submitted. Each renewal is recorded as a new request of the same contact, without a consent, and counts against `RATE_LIMIT_SUBMIT`. If the contact was erased or the content is no longer published, the response is 404. A client that prefers HTML, such as a browser, is redirected to the download (303). The request has no body; one that is sent is ignored.",
    access: anyone,
    limit: "submit",
    params: linkParams,
    responses: {
      200: json("The new link", renewalResponse),
      303: empty("Response to a browser: redirects to the download"),
    },
    problems: [410],
    hasProblemPages: true,
    describePage: async ({ token }, { deliveries }, { address }) =>
      linkPage(await deliveries.describe(token, address), "renewal"),
    handle: async ({ params, reader, prefersPage }, { downloads }) => {
      const link = await downloads.renew(params.token, reader);
      return prefersPage() ? seeOther(`../${tokenOf(link)}`) : ok(link);
    },
  }),
];
