/** Where two values of a field differ, for people: the common words around the difference stay. */

interface TextDifference {
  /** Common words before the difference. */
  start: string;
  removed: string;
  added: string;
  /** Common words after it. */
  end: string;
}

/** Words, and what is between them. */
const splitWords = (text: string): string[] => text.split(/([\s,]+)/);

/** Long common parts say nothing of the change: their inner side is enough. */
const MAX_COMMON = 80;

export function findDifference(before: string, after: string): TextDifference {
  const [old, now] = [splitWords(before), splitWords(after)];
  const most = Math.min(old.length, now.length);
  let from = 0;
  while (from < most && old[from] === now[from]) from += 1;
  let to = 0;
  while (to < most - from && old[old.length - 1 - to] === now[now.length - 1 - to]) to += 1;
  const inner = (words: readonly string[]) => words.slice(from, words.length - to).join("");
  return {
    start: keepEnd(old.slice(0, from).join("")),
    removed: inner(old),
    added: inner(now),
    end: keepStart(old.slice(old.length - to).join("")),
  };
}

const keepEnd = (text: string): string =>
  text.length > MAX_COMMON ? `…${[...text].slice(-MAX_COMMON).join("")}` : text;
const keepStart = (text: string): string =>
  text.length > MAX_COMMON ? `${[...text].slice(0, MAX_COMMON).join("")}…` : text;

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

interface Words {
  formatTime(iso: string): string;
  yes: string;
  no: string;
}

/** A value of the audit log as text; empty if there was or is none. */
export function formatValue(value: unknown, words: Words): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return TIME.test(value) ? words.formatTime(value) : value;
  if (typeof value === "boolean") return value ? words.yes : words.no;
  if (Array.isArray(value)) return value.map((part) => formatValue(part, words)).join(", ");
  if (typeof value === "object")
    return Object.entries(value)
      .map(([name, part]) => `${name}: ${formatValue(part, words)}`)
      .join(", ");
  return String(value);
}
