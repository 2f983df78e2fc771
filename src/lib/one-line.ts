/** Cleans texts of one line: white space, invisible characters at the ends, and texts that must never be rejected. */
import { startOf } from "./text.ts";

const WHITE_SPACE = /\p{White_Space}+/gu;
const NOT_A_SPACE = /[\p{White_Space}--[ ]]/v;

/** Without a width: what people paste from chats and address books along with a text. Also the byte order mark. */
const INVISIBLE_IN_LINES = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/;
const ALL_INVISIBLE = /\p{Default_Ignorable_Code_Point}+/gu;

/** In Indic scripts a joiner after a virama changes the form of the letter before it, also at the end of a word. */
const JOINED = /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca][\u200c\u200d]$/;

/** Other characters without a form, such as fillers and the blank of Braille: a text of nothing else is empty. */
const NOTHING_VISIBLE = /^[\p{Default_Ignorable_Code_Point}\u2800 ]*$/u;

/** White space of any kind, such as tabs, line ends and no-break spaces, becomes a space; the ends are trimmed. */
export const toOneLine = (text: string): string =>
  trimEnds(
    NOT_A_SPACE.test(text)
      ? text.replace(WHITE_SPACE, (space) => (NOT_A_SPACE.test(space) ? " " : space))
      : text,
  );

/** Without white space and invisible characters at the ends. */
export function trimEnds(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isEdge(text.charAt(start))) start += 1;
  while (
    end > start &&
    isEdge(text.charAt(end - 1)) &&
    !JOINED.test(text.slice(Math.max(start, end - 2), end))
  )
    end -= 1;
  const trimmed = text.slice(start, end);
  return NOTHING_VISIBLE.test(trimmed) ? "" : trimmed;
}

const isEdge = (character: string): boolean => /\s/.test(character) || INVISIBLE_IN_LINES.test(character);

/** Without invisible characters anywhere. */
export const dropInvisible = (text: string): string => text.replace(ALL_INVISIBLE, "");

const CONTROLS = /\p{Cc}+/gu;

/**
 * One line of a text that must never be rejected: without control characters and lone surrogates, trimmed, NFC, and
 * truncated to at most `max` UTF-16 units between two graphemes.
 */
export function toLine(text: string, max: number): string {
  // Bounds the work for an overlong text.
  const printable = text
    .slice(0, 4 * max)
    .toWellFormed()
    .replaceAll("\ufffd", "")
    .replace(CONTROLS, " ");
  const line = toOneLine(printable).normalize("NFC");
  if (line.length <= max) return line;
  // A single grapheme can be longer than `max`.
  return (startOf(line, max, ({ length }) => length) || line.slice(0, max))
    .toWellFormed()
    .replaceAll("\ufffd", "")
    .trimEnd();
}
