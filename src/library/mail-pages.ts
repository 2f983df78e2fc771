/** The pages to which letters lead: each has one button at most. */
import { findDirection } from "../lib/bcp47.ts";
import { html, type Markup } from "../lib/html.ts";
import { type Look, NOTHING, renderShell } from "./shell.ts";

type MailButton = { text: string } & (
  | {
      /** The last part of the address of the page, to which fields are sent. */ action: string;
      fields?: Readonly<Record<string, string>>;
    }
  | {
      /** Where it leads, relative to `/`. */ link: string;
    }
);

interface MailPage {
  /** Of the texts. */
  code: string;
  heading: string;
  text: string;
  button: MailButton | undefined;
  /** The address of `/`, relative to the page. */
  root: string;
  look: Look;
  /** Where the name leads; undefined: nowhere. */
  home: string | undefined;
}

export function renderMailPage(page: MailPage): string {
  const { code, heading, text, button, root } = page;
  const content = html`<div class="message"><h1>${heading}</h1>
<p>${text}</p>
${button ? renderButton(button, root) : NOTHING}</div>`;
  const head = html`<meta name="robots" content="noindex">`;
  return renderShell({ ...page, direction: findDirection(code), title: heading, head }, content);
}

function renderButton(button: MailButton, root: string): Markup {
  if ("link" in button)
    return html`<p><a class="primary" href="${root}${button.link}">${button.text}</a></p>`;
  const fields = Object.entries(button.fields ?? {}).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form method="post" action="${button.action}">
${fields}
<button type="submit" class="primary">${button.text}</button>
</form>`;
}
