/** The pages to which letters lead: each has one button at most. */
import { findDirection } from "../lib/bcp47.ts";
import { html } from "../lib/html.ts";
import { type Look, NOTHING, renderShell } from "./shell.ts";

export interface MailPage {
  /** Of the texts. */
  code: string;
  heading: string;
  text: string;
  /** What the button sends to the address of the page. */
  button: { text: string; fields: Readonly<Record<string, string>> } | undefined;
  /** The last part of the address of the page. */
  action: string;
  /** The address of `/`, relative to the page. */
  root: string;
  look: Look;
  /** Where the name leads; undefined: nowhere. */
  home: string | undefined;
}

export function renderMailPage(page: MailPage): string {
  const { code, heading, text, button, action } = page;
  const fields = Object.entries(button?.fields ?? {}).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const form = button
    ? html`<form method="post" action="${action}">
${fields}
<button type="submit" class="primary">${button.text}</button>
</form>`
    : NOTHING;
  const content = html`<div class="message"><h1>${heading}</h1>
<p>${text}</p>
${form}</div>`;
  const head = html`<meta name="robots" content="noindex">`;
  return renderShell({ ...page, direction: findDirection(code), title: heading, head }, content);
}
