/** The addresses in letters, and what becomes of letters. */
import { anyone, session } from "../http/access.ts";
import { openBody } from "../http/requests/body.ts";
import { content, json, jsonOrPage, ok } from "../http/responses/responses.ts";
import { defineRoute } from "../http/route.ts";
import { linkParams } from "../schemas/download-requests.schemas.ts";
import { confirmed, mailKeyParams, mailStatus, stopForm, stopRequest } from "../schemas/mail.schemas.ts";

const THE_PAGE = content("The page", "text/html");

const shown = <P>(page: P) => ({ status: 200 as const, page });

const STOP = {
  path: "/api/mail/{key}/stop",
  access: anyone,
  databaseLimit: "form",
  limit: "download",
  params: mailKeyParams,
  responses: { 200: THE_PAGE },
  hasProblemPages: true,
} as const;

const CONFIRMATION = {
  path: "/api/mail/{token}/confirm",
  access: anyone,
  databaseLimit: "form",
  limit: "download",
  params: linkParams,
  problems: [404, 410],
  hasProblemPages: true,
} as const;

export const mailStatusRoutes = [
  defineRoute({
    id: "getMailStatus",
    method: "get",
    path: "/api/admin/mail",
    databaseLimit: "record",
    summary: "See what becomes of letters",
    description: "Returns how many letters wait, were sent and have failed, for display. It names no reader.",
    access: session("manage_settings"),
    responses: { 200: json("The state", mailStatus) },
    handle: async (_, { letters }) => ok(await letters.readStatus()),
  }),
];

export const mailRoutes = [
  defineRoute({
    ...STOP,
    id: "showMailStop",
    method: "get",
    summary: "Ask whether letters are to stop",
    description:
      "Returns an HTML page with one button. It changes nothing and is the same for every key: programs open the links in letters, too.",
    handle: async ({ acceptedLanguages }, { letters }) =>
      shown(await letters.showPage("stopPage", acceptedLanguages())),
  }),
  defineRoute({
    ...STOP,
    id: "stopMail",
    method: "post",
    summary: "Stop letters",
    description:
      "Withdraws the consent to marketing of the reader with this key, and stops all letters. `undo` allows letters again. The response is the same if it was done before, and for an unknown key; without `SMTP_URL` the address works, too, for letters that went before. Mail programs send `List-Unsubscribe=One-Click` as a form (RFC 8058).",
    body: openBody(stopRequest, stopForm),
    problems: [400],
    handle: async ({ params, body, acceptedLanguages }, { letters }) => {
      const page = body.undo === true ? "resumed" : "stopped";
      await letters.setStopped(params.key, page === "stopped");
      return shown(await letters.showPage(page, acceptedLanguages()));
    },
  }),
  defineRoute({
    ...CONFIRMATION,
    id: "showConfirmation",
    method: "get",
    summary: "Ask whether an address is the reader's",
    description:
      "Returns an HTML page with one button. It changes nothing: programs open the links in letters, too.",
    responses: { 200: THE_PAGE },
    handle: async ({ params, acceptedLanguages }, { confirmations }) =>
      shown(await confirmations.ask(params.token, acceptedLanguages())),
  }),
  defineRoute({
    ...CONFIRMATION,
    id: "confirmAddress",
    method: "post",
    summary: "Confirm an address",
    description:
      "Confirms the address to which the letter went, all requests for it of the last 24 hours, and a consent to marketing that waits for it. Returns a link to the requested download for 24 hours, and sets the cookie `mail.confirmed`, with which a browser needs no further confirmation for this address, for 90 days. The response is the same if it was done before. The request has no body; one that is sent is ignored.",
    responses: { 200: jsonOrPage("The download", confirmed) },
    handle: async ({ params, reader, prefersPage, acceptedLanguages }, { confirmations }) => {
      const press = await confirmations.confirm(params.token, reader.address);
      const { browser: confirmedBrowser } = press;
      return prefersPage()
        ? { ...shown(await confirmations.showConfirmed(press, acceptedLanguages())), confirmedBrowser }
        : { ...ok(press.confirmed), confirmedBrowser };
    },
  }),
];
