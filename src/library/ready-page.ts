/** After the form: the page that begins the download, and the one of an expired link. */
import { html, type Markup } from "../lib/html.ts";
import type { FileType } from "../schemas/file-types.ts";
import { type Frame, linkTo } from "./frame.ts";
import { layOut } from "./layout.ts";
import { findReadingApps } from "./reading-apps.ts";
import { NOTHING, renderRenewalButton } from "./shell.ts";

interface ReadyPage {
  /** Of the form, relative to `/`. */
  path: string;
  token: string;
  fileName: string;
  fileType: FileType;
  /** 0 if unknown. */
  sizeBytes: number;
  minutesLeft: number;
  expiresAt: string;
  userAgent: string;
}

export function renderReadyPage(frame: Frame, page: ReadyPage): string {
  const { words, root } = frame;
  const { fileName, sizeBytes, fileType } = page;
  const address = `${root}api/download/${page.token}`;
  const size = words.size(sizeBytes);
  const { text, apps } = findReadingApps(fileType, page.userAgent);
  const content = html`<div class="message ready"><h1>${words.say("started")}</h1>
<p>${words.say("arrives")} <b><bdi dir="auto">${fileName}</bdi></b>${size === "" ? NOTHING : html` · ${size}`}</p>
<p>${words.say(text, apps)}</p>
<p><a class="primary" href="${address}">${words.say("manual")}</a></p>
<p><time datetime="${page.expiresAt}">${words.say("until", words.minutes(page.minutesLeft))}</time></p>
${renderWay(frame, page.path)}</div>`;
  const more = html`<meta http-equiv="refresh" content="0; url=${address}">`;
  return layOut(frame, { title: words.say("started"), more }, content);
}

interface WithheldPage extends Pick<ReadyPage, "path" | "token"> {
  texts: { heading: string; text: string; button: string };
  /** Undefined if the letter leaves at once. */
  delayed: string | undefined;
}

/** Of a link that delivers once its reader's address is confirmed. In a browser in which it was, the button does it at once. */
export function renderWithheldPage(frame: Frame, { path, token, texts, delayed }: WithheldPage): string {
  const content = html`<div class="message"><h1>${texts.heading}</h1>
<p>${texts.text}</p>
${delayed === undefined ? NOTHING : html`<p>${delayed}</p>`}
<form method="get" action="${frame.root}api/download/${token}"><button type="submit" class="primary">${texts.button}</button></form>
${renderWay(frame, path)}</div>`;
  return layOut(frame, { title: texts.heading }, content);
}

interface ExpiredPage {
  path: string;
  token: string;
  /** Undefined if the link can't be renewed. */
  renewable: { title: string; languageCode: string } | undefined;
  texts: { heading: string; text: string; renew: string; begins?: string | undefined };
}

export function renderExpiredPage(frame: Frame, { path, token, renewable, texts }: ExpiredPage): string {
  const { root } = frame;
  const form = renewable
    ? html`<form method="post" action="${root}api/download/${token}/renewal">
<p><b><bdi lang="${renewable.languageCode}">${renewable.title}</bdi></b></p>
${renderRenewalButton(texts)}</form>`
    : NOTHING;
  const content = html`<div class="message"><h1>${texts.heading}</h1>
<p>${texts.text}</p>
${form}
${renderWay(frame, path)}</div>`;
  return layOut(frame, { title: texts.heading }, content);
}

const renderWay = (frame: Frame, path: string): Markup =>
  html`<p><a href="${linkTo(frame, path)}">${frame.words.say("back")}</a></p>`;
