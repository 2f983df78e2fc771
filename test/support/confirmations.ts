/** A service whose readers confirm their address by a letter. */
import assert from "node:assert/strict";
import { startWithAdmin } from "./app.ts";
import { bodyOf, type Client } from "./client.ts";
import { contact } from "./factory.ts";
import {
  mailSettings,
  type ReceivedLetter,
  type Replies,
  sendLetters,
  startMailServer,
} from "./mail-server.ts";

/** As browsers send it with a link. */
export const BROWSER = { Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

/** The path of the link that confirms. */
export const confirmPathOf = ({ mail }: ReceivedLetter): string => {
  const found = /https:\/\/books\.example\.org\/library(\/api\/mail\/[\w.-]+\/confirm)/.exec(mail.text ?? "");
  assert(found?.[1], "the letter has no link that confirms");
  return found[1];
};

export async function startWithConfirmation(
  rule: "off" | "optional" | "required",
  more: Readonly<Record<string, string>> = {},
  replies: Replies = {},
) {
  const server = await startMailServer(replies);
  const settings = mailSettings(server, { EMAIL_CONFIRMATION: rule, ...more });
  const started = await startWithAdmin(settings);
  const { app, client } = started;
  const language = await app.make.language("en");
  await app.make.published("The Well", "en");
  const request = { slug: "the-well", languageCode: "en" };
  /** Sends a form. @returns the response */
  const ask = (asked: object = {}, api: Client = app.api) =>
    bodyOf(api.post("/api/download/submit", { contact, ...request, ...asked }));
  /** The letters that leave now. */
  const receive = async () => {
    await sendLetters(app);
    return server.received.splice(0);
  };
  /** The path in the only letter that leaves now. */
  const receivePath = async () => {
    const [letter, ...others] = await receive();
    assert(letter && others.length === 0, "one letter was expected");
    return confirmPathOf(letter);
  };
  /** Presses the button. @returns the cookie of the browser */
  const press = async (path: string, api: Client = app.api) => {
    const { status, body, headers } = await api.post(path);
    assert.equal(status, 200);
    const [cookie = ""] = [headers["set-cookie"] ?? []].flat();
    return { body, cookie };
  };
  /** The contact as a list has it. */
  const findReader = async () => (await bodyOf(client.get("/api/admin/contacts"))).contacts[0];
  return { ...started, server, language, ask, receive, receivePath, press, findReader };
}

/** The value of the cookie, as a browser sends it back. */
export const cookieOf = (setCookie: string) => ({ Cookie: setCookie.split(";")[0] ?? "" });
