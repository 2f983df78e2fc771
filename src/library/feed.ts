/** The newest books of a language as an Atom feed (RFC 4287). */
import { escapeXml } from "../lib/xml.ts";
import type { TextIn } from "./frame.ts";

export interface FeedEntry {
  /** An IRI that stays the same. */
  id: string;
  title: TextIn;
  /** Empty if there is none. */
  summary: TextIn;
  authors: readonly string[];
  /** The address of its page, which can be relative to the feed. */
  address: string;
  /** When the first file in the language came, in ISO 8601. */
  publishedAt: string;
}

export interface Feed {
  id: string;
  title: string;
  /** Of the library. */
  author: string;
  /** Of the language. */
  code: string;
  /** The addresses of the feed and of its list, which can be relative. */
  self: string;
  list: string;
  entries: readonly FeedEntry[];
}

export function renderFeed({ id, title, author, code, self, list, entries }: Feed): string {
  // There is no feed without books.
  const updated = entries[0]?.publishedAt ?? "1970-01-01T00:00:00Z";
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${escapeXml(code)}">
<id>${escapeXml(id)}</id>
<title>${escapeXml(title)}</title>
<updated>${escapeXml(updated)}</updated>
<author><name>${escapeXml(author)}</name></author>
<link rel="self" type="application/atom+xml" href="${escapeXml(self)}"/>
<link rel="alternate" type="text/html" href="${escapeXml(list)}"/>
${entries.map(renderEntry).join("")}</feed>
`;
}

function renderEntry({ id, title, summary, authors, address, publishedAt }: FeedEntry): string {
  const names = authors.map((name) => `<author><name>${escapeXml(name)}</name></author>\n`).join("");
  return `<entry>
<id>${escapeXml(id)}</id>
<title xml:lang="${escapeXml(title.code)}">${escapeXml(title.text)}</title>
<published>${escapeXml(publishedAt)}</published>
<updated>${escapeXml(publishedAt)}</updated>
${names}<link rel="alternate" type="text/html" href="${escapeXml(address)}"/>
${summary.text === "" ? "" : `<summary xml:lang="${escapeXml(summary.code)}">${escapeXml(summary.text)}</summary>\n`}</entry>
`;
}
