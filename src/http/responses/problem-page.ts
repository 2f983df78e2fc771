/** A problem as an HTML page for readers who follow a download link or submit a form. */
import { findDirection } from "../../lib/bcp47.ts";
import { html, type Markup } from "../../lib/html.ts";
import type { PageLanguage } from "../../library/page-languages.ts";
import { type Look, NOTHING, renderRenewalButton, renderShell } from "../../library/shell.ts";
import type { LetterTexts } from "../../schemas/letter-texts.schemas.ts";
import type { PageTexts } from "../../schemas/page-texts.schemas.ts";
import type { Problem } from "../../schemas/problem.schemas.ts";
import type { Renewal } from "../requests/request-context.ts";

interface PageOptions {
  language: PageLanguage;
  look: Look;
  /** The address of `/`, relative to the page. */
  root: string;
  /** The links back and to the start page, of the public site or of the library. */
  back?: { url: string; home: string; isLibrary: boolean } | undefined;
  /** Set on an address of the library: whether a link led here, not a form. */
  library?: { isLink: boolean } | undefined;
  /** How a button renews the reader's link. */
  renewal?: Renewal | undefined;
  /** Whether the letter that confirms the reader's address may wait for a limit. */
  isLetterDelayed?: boolean | undefined;
  /** Set if the page should refresh itself. */
  retryAfterSeconds?: number | undefined;
}

export function renderProblemPage(problem: Problem, options: PageOptions): string {
  const { letters } = options.language.texts;
  return problem.code === "email_not_confirmed" && letters
    ? renderWithheldPage(letters, options)
    : renderMessagePage(problem, options);
}

function renderMessagePage(problem: Problem, options: PageOptions): string {
  const { language, library, root, look, back, retryAfterSeconds } = options;
  const { code, texts } = language;
  const isWrongAddress = library?.isLink === true && problem.status === 400;
  const kind = isWrongAddress ? "unknown" : choosePageKind(problem);
  const { heading } = texts[kind];
  const text = (isWrongAddress ? texts.library?.wrongAddress : undefined) ?? texts[kind].text;
  const renewal = RENEWABLE.has(kind) ? options.renewal : undefined;
  const content = html`<div class="message"><h1>${heading}</h1>
${renewal ? renderTitle(renewal) : NOTHING}
<p>${text}</p>
${kind === "form" ? renderList(listInvalidFields(problem, texts)) : NOTHING}
${renewal ? renderRenewalForm(renewal, texts) : NOTHING}
${WITHOUT_ADVICE.has(kind) || renewal || library ? NOTHING : html`<p>${texts.again}</p>`}
${back ? html`<p><a href="${back.url}">${(back.isLibrary ? texts.library?.back : undefined) ?? texts.back}</a></p>` : NOTHING}
${renderReference(problem, texts)}</div>`;
  const refresh =
    retryAfterSeconds === undefined
      ? NOTHING
      : html`<meta http-equiv="refresh" content="${retryAfterSeconds}">`;
  const page = { code, direction: findDirection(code), title: heading, root, look };
  return renderShell({ ...page, home: back?.home, head: refresh }, content);
}

/** Of a link that delivers once its reader's address is confirmed: the button opens it again. */
function renderWithheldPage(
  { lookIntoMail: { heading, text, button }, delayed }: LetterTexts,
  { language: { code }, root, look, back, isLetterDelayed = false }: PageOptions,
): string {
  const content = html`<div class="message"><h1>${heading}</h1>
<p>${text}</p>
${isLetterDelayed ? html`<p>${delayed}</p>` : NOTHING}
<form method="get"><button type="submit" class="primary">${button}</button></form></div>`;
  const page = { code, direction: findDirection(code), title: heading, root, look };
  return renderShell({ ...page, home: back?.home }, content);
}

/** The title can be in another language and direction than the page. */
const renderTitle = ({ title, languageCode }: Renewal): Markup =>
  html`<p><b><bdi lang="${languageCode}">${title}</bdi></b></p>`;

const renderRenewalForm = ({ url }: Renewal, texts: PageTexts): Markup =>
  html`<form method="post" action="${url}">\n${renderRenewalButton(texts)}\n</form>`;

const renderReference = ({ requestId }: Problem, { reference }: PageTexts): Markup =>
  html`<p><small>${reference === undefined ? NOTHING : html`${reference}<br>`}<span dir="ltr">${requestId}</span></small></p>`;

type PageKind = {
  [Name in keyof PageTexts]-?: PageTexts[Name] extends PageTexts["expired"] ? Name : never;
}[keyof PageTexts];

/** These texts already contain advice, or can't be fixed by the reader. */
const WITHOUT_ADVICE: ReadonlySet<PageKind> = new Set(["form", "busy", "foreignSite"]);

/** These pages offer to renew the link; on the others that would fail again. */
const RENEWABLE: ReadonlySet<PageKind> = new Set(["expired", "busy"]);

const FORM_STATUSES = new Set([400, 413, 415]);
const UNKNOWN_LINKS = new Set(["download_token_unknown", "confirmation_unknown", "not_found"]);

function choosePageKind({ status, code }: Problem): PageKind {
  if (status === 410) return "expired";
  if (status === 403) return "foreignSite";
  if (status === 404) return UNKNOWN_LINKS.has(code) ? "unknown" : "unavailable";
  if (status === 429 || status === 503) return "busy";
  return FORM_STATUSES.has(status) ? "form" : "failed";
}

/** Readers can correct fields that they filled in; the site is responsible for the others. */
function listInvalidFields({ errors = [] }: Problem, { fields }: PageTexts): string[] {
  const sentences = errors.map(({ path, code }) => {
    if (code === "damaged_letters") return fields.letters ?? fields.other;
    if (path === "email") return fields.email;
    return path === "firstName" ? fields.firstName : fields.other;
  });
  return [...new Set(sentences)];
}

const renderList = (items: readonly string[]): Markup =>
  items.length === 0
    ? NOTHING
    : html`<ul class="links">\n${items.map((item) => html`<li>${item}</li>`)}\n</ul>`;
