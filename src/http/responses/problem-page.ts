/** A problem as an HTML page for readers who follow a download link or submit a form. */
import { findDirection } from "../../lib/bcp47.ts";
import { escapeHtml } from "../../lib/html.ts";
import type { PageLanguage } from "../../library/page-languages.ts";
import type { PageTexts } from "../../schemas/page-texts.schemas.ts";
import type { Problem } from "../../schemas/problem.schemas.ts";
import type { Renewal } from "../requests/request-context.ts";

interface PageOptions {
  language: PageLanguage;
  /** The link back to the public site. */
  siteUrl?: string | undefined;
  /** Set on an address of the library. */
  library?: {
    /** The link to its languages. */ url: string /** Whether a link led here, not a form. */;
    isLink: boolean;
  };
  /** How a button renews the reader's link. */
  renewal?: Renewal | undefined;
  /** Set if the page should refresh itself. */
  retryAfterSeconds?: number | undefined;
}

export function renderProblemPage(
  problem: Problem,
  { language: { code, texts }, siteUrl, library, renewal, retryAfterSeconds }: PageOptions,
): string {
  const isWrongAddress = library?.isLink === true && problem.status === 400;
  const kind = isWrongAddress ? "unknown" : choosePageKind(problem);
  const { heading } = texts[kind];
  const text = (isWrongAddress ? texts.library?.wrongAddress : undefined) ?? texts[kind].text;
  const offered = RENEWABLE.has(kind) ? renewal : undefined;
  const parts = [
    `<h1>${escapeHtml(heading)}</h1>`,
    offered ? renderTitle(offered) : "",
    `<p>${escapeHtml(text)}</p>`,
    kind === "form" ? listOf(listInvalidFields(problem, texts)) : "",
    offered ? renderRenewalForm(offered, texts) : "",
    WITHOUT_ADVICE.has(kind) || offered || library ? "" : `<p>${escapeHtml(texts.again)}</p>`,
    library ? linkTo(library.url, texts.library?.back ?? texts.back) : linkTo(siteUrl, texts.back),
    renderReference(problem, texts),
  ];
  const refresh =
    retryAfterSeconds === undefined ? "" : `<meta http-equiv="refresh" content="${retryAfterSeconds}">\n`;
  return `<!doctype html>
<html lang="${code}" dir="${findDirection(code)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${refresh}<title>${escapeHtml(heading)}</title>
<style>${STYLE}</style>
<main>
${parts.filter((part) => part !== "").join("\n")}
</main>
</html>
`;
}

const linkTo = (url: string | undefined, label: string): string =>
  url === undefined ? "" : `<p><a href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>`;

/** The title can be in another language and direction than the page. */
const renderTitle = ({ title, languageCode }: Renewal): string =>
  `<p><b><bdi lang="${escapeHtml(languageCode)}">${escapeHtml(title)}</bdi></b></p>`;

const renderRenewalForm = ({ url }: Renewal, { renew, begins }: PageTexts): string => {
  const status = begins === undefined ? "" : `\n<p role="status">${escapeHtml(begins)}</p>`;
  return `<form method="post" action="${escapeHtml(url)}">\n<button>${escapeHtml(renew)}</button>${status}\n</form>`;
};

const renderReference = ({ requestId }: Problem, { reference }: PageTexts): string => {
  const label = reference === undefined ? "" : `${escapeHtml(reference)}<br>`;
  return `<p><small>${label}<span dir="ltr">${escapeHtml(requestId)}</span></small></p>`;
};

/**
 * Sizes follow the reader's settings; lines are high enough for stacked scripts. The browser stays on the page after a click on
 * the button, because a download follows: the sentence below it appears with the focus that a click gives.
 */
const STYLE = `
  body { margin: 0; font: 1.125rem/1.7 system-ui, sans-serif; color: #222; background: #fafafa; overflow-wrap: break-word }
  main { max-width: 32rem; margin: 12vh auto; padding: 0 1.25rem }
  h1 { font-size: 1.5rem; line-height: 1.4 }
  a { color: #0b57d0 }
  button { padding: .5rem 1.25rem; font: inherit; color: #fff; background: #0b57d0; border: 0; border-radius: .5rem; cursor: pointer }
  form p { display: none }
  button:focus:not(:focus-visible) + p { display: block }
  small { color: #666 }
  @media (prefers-color-scheme: dark) { body { color: #ddd; background: #1a1a1a } a { color: #8ab4f8 } button { color: #1a1a1a; background: #8ab4f8 } small { color: #999 } }
`;

type PageKind = Exclude<
  keyof PageTexts,
  "renew" | "begins" | "again" | "back" | "reference" | "fields" | "library"
>;

/** These texts already contain advice, or can't be fixed by the reader. */
const WITHOUT_ADVICE: ReadonlySet<PageKind> = new Set(["form", "busy", "foreignSite"]);

/** These pages offer to renew the link; on the others that would fail again. */
const RENEWABLE: ReadonlySet<PageKind> = new Set(["expired", "busy"]);

const FORM_STATUSES = new Set([400, 413, 415]);
const UNKNOWN_LINKS = new Set(["download_token_unknown", "not_found"]);

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

const listOf = (items: readonly string[]): string =>
  items.length === 0 ? "" : `<ul>\n${items.map((item) => `<li>${escapeHtml(item)}</li>`).join("\n")}\n</ul>`;
