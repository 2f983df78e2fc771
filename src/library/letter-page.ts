/** Letters as text and as HTML, from one source: no pictures, nothing that counts, and nothing that a stranger has typed. */
import { findDirection } from "../lib/bcp47.ts";
import { html, type Markup } from "../lib/html.ts";
import type { LetterName, LetterTexts } from "../schemas/letter-texts.schemas.ts";
import { choosePageLanguage, type PageLanguage, type PageLanguages } from "./page-languages.ts";

/** A letter whose texts and links are known. */
interface LetterDraft {
  kind: LetterName;
  /** Codes of languages by preference. */
  languages: readonly string[];
  /** Of what the letter is about. */
  title: string;
  /** Whether that is the name of a language, of which all books were asked for. */
  isWholeLanguage?: boolean;
  /** Absolute. */
  link: string;
  /** The host that readers know. */
  host: string;
  /** Stops letters; undefined in letters to accounts. */
  stopLink: string | undefined;
}

interface WrittenLetter {
  subject: string;
  text: string;
  html: string;
}

/** What a letter consists of. */
type Block =
  | { kind: "paragraph" | "note"; text: string }
  | { kind: "button" | "link"; text: string; url: string };

export function writeLetter(draft: LetterDraft, all: PageLanguages): WrittenLetter {
  const { code, texts, allBooks = "{}" } = chooseLetterLanguage(draft.languages, all);
  const { subject, text, button, note } = texts[draft.kind];
  const { link, host, stopLink } = draft;
  const title = draft.isWholeLanguage ? allBooks.replace("{}", () => draft.title) : draft.title;
  const blocks: Block[] = [
    { kind: "paragraph", text: fill(text, title) },
    { kind: "button", text: button, url: link },
    { kind: "note", text: note },
    { kind: "link", text: texts.open, url: link },
    { kind: "note", text: fill(texts.why, host) },
    ...(stopLink === undefined ? [] : [{ kind: "link" as const, text: texts.stop, url: stopLink }]),
  ];
  const page = { code, direction: findDirection(code), title: fill(subject, title) };
  return {
    subject: subject.replace("{}", () => title),
    // In a text the address is there already.
    text: `${blocks
      .filter(({ kind, text: label }) => kind !== "link" || label !== texts.open)
      .map(renderText)
      .join("\n\n")}\n`,
    html: renderPage(page, blocks),
  };
}

/** A language whose letters are translated. */
export function chooseLetterLanguage(
  wanted: readonly string[],
  { byCode, fallback }: PageLanguages,
): { language: PageLanguage; code: string; texts: LetterTexts; allBooks: string | undefined } {
  const translated = new Map([...byCode].filter(([, { texts }]) => texts.letters !== undefined));
  const language: PageLanguage = choosePageLanguage(wanted, { byCode: translated, fallback });
  const texts = language.texts.letters ?? fallback.texts.letters;
  if (!texts) throw new Error("assets/pages/en.json has no letters");
  return { language, code: language.code, texts, allBooks: language.texts.library?.allBooks };
}

/** A value in another direction would reorder the sentence around it. */
const fill = (text: string, value: string): string => text.replace("{}", () => `\u2068${value}\u2069`);

function renderText(block: Block): string {
  return "url" in block ? `${block.text}\n${block.url}` : block.text;
}

/** Mail programs remove style sheets. Of colours, those of the system are light or dark as the reader has chosen. */
const STYLES = {
  page: "margin:0;padding:24px;background:Canvas;color:CanvasText;font:16px/1.5 sans-serif",
  body: "max-width:34em;margin:0 auto",
  heading: "margin:0;font-size:20px;line-height:1.3;overflow-wrap:anywhere",
  button:
    "display:inline-block;padding:12px 24px;border-radius:6px;background:#1f5f8b;color:#fff;text-decoration:none",
  note: "font-size:14px;overflow-wrap:anywhere",
};

function renderBlock(block: Block): Markup {
  switch (block.kind) {
    case "paragraph":
      return html`<p>${block.text}</p>`;
    case "note":
      return html`<p style="${STYLES.note}">${block.text}</p>`;
    case "button":
      return html`<p><a href="${block.url}" style="${STYLES.button}">${block.text}</a></p>`;
    case "link":
      return html`<p style="${STYLES.note}">${block.text}<br><a href="${block.url}" dir="ltr">${block.url}</a></p>`;
  }
}

const renderPage = (
  { code, direction, title }: { code: string; direction: string; title: string },
  blocks: readonly Block[],
): string =>
  html`<!DOCTYPE html>
<html lang="${code}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
</head>
<body style="${STYLES.page}">
<main style="${STYLES.body}">
<h1 style="${STYLES.heading}">${title}</h1>
${blocks.map(renderBlock)}
</main>
</body>
</html>
`.markup;
