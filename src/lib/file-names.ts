/** File names that are safe to show, to send in a header and to unpack on any system. */
import { startOf } from "./text.ts";

/** Below the 255-byte limit of most file systems, with room for a browser's " (1)" and ".part". */
const MAX_BYTES = 200;
const EXTENSION = /^\.[\p{L}\p{N}]{1,15}$/u;

/** Characters that break headers, hide the real extension or can't be encoded. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Noncharacter_Code_Point}\u{FEFF}]+/gu;
const LINE_BREAKS = /[\t\n\v\f\r\u{85}\u{2028}\u{2029}]+/gu;
const FORBIDDEN_ON_WINDOWS = /[<>:"/\\|?*]+/g;
const DOT_SEGMENTS = /(?<=^|[/\\])\.+(?=[/\\]|$)/g;

/**
 * The display name of an uploaded file: its last path segment in NFC, at most 200 bytes of UTF-8 including its
 * extension. `fallback` if nothing is left.
 */
export function cleanFileName(name: string, fallback: string): string {
  const lastSegment = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
  const clean = makePrintable(cutMiddle(lastSegment))
    .replace(/^[\s.]+/, "")
    .trimEnd();
  const { stem, extension } = splitExtension(clean);
  const shortened = cutToBytes(stem, MAX_BYTES - Buffer.byteLength(extension));
  return shortened === "" ? fallback : shortened + extension;
}

/** Far more than the final length: composing thousands of combining marks would take longer than receiving them. */
const cutMiddle = (name: string): string =>
  name.length > 1000 ? name.slice(0, 900) + name.slice(-100) : name;

/** The parts of a ZIP entry's name. */
export interface NamedEntry {
  /** The position in the list, from 1. */
  position: number;
  title: string;
  /** A canonical language code. */
  languageCode: string;
  /** Without the dot. */
  extension: string;
}

/**
 * `NN - Title [code].ext` for each entry, in order: at most 200 bytes of UTF-8, and unique regardless of case and
 * composition (the second becomes `NN - Title (2) [code].ext`). Deterministic. Each takes a few microseconds, so a caller
 * with thousands of entries pauses between them.
 */
export function* zipEntryNames(entries: readonly NamedEntry[]): Generator<string, void> {
  const largest = entries.reduce((most, { position }) => Math.max(most, position), 0);
  const digits = Math.max(2, String(largest).length);
  const taken = new Set<string>();
  const nextNumber = new Map<string, number>();
  for (const entry of entries) {
    const base = collisionKey(zipEntryName(entry, digits, 1));
    for (let number = nextNumber.get(base) ?? 1; ; number++) {
      const name = zipEntryName(entry, digits, number);
      if (taken.has(collisionKey(name))) continue;
      taken.add(collisionKey(name));
      nextNumber.set(base, number + 1);
      yield name;
      break;
    }
  }
}

function zipEntryName(entry: NamedEntry, digits: number, number: number): string {
  const start = String(entry.position).padStart(digits, "0");
  const code = entry.languageCode.replace(/[^A-Za-z0-9-]/g, "");
  const extension = cleanExtension(entry.extension);
  const end = `${number > 1 ? ` (${number})` : ""} [${code}]${extension && `.${extension}`}`;
  const title = cutToBytes(cleanTitle(entry.title), MAX_BYTES - Buffer.byteLength(`${start} - ${end}`));
  return `${start}${title && ` - ${title}`}${end}`;
}

/** `Title [code].ext`: the name of a single file, as in a ZIP, at most 200 bytes of UTF-8. */
export function downloadName({ title, languageCode, extension }: Omit<NamedEntry, "position">): string {
  const end = `[${languageCode.replace(/[^A-Za-z0-9-]/g, "")}].${cleanExtension(extension)}`;
  const start = cutToBytes(
    cleanTitle(title).replace(/^[\s.]+/, ""),
    MAX_BYTES - Buffer.byteLength(` ${end}`),
  );
  return `${start}${start && " "}${end}`;
}

/** Inner dots are kept: readers know `.kepub.epub` by both extensions. */
const cleanExtension = (extension: string): string =>
  extension
    .split(".")
    .map((part) => part.replace(/[^A-Za-z0-9]/g, ""))
    .filter((part) => part !== "")
    .join(".");

function cleanTitle(title: string): string {
  return makePrintable(title)
    .replace(DOT_SEGMENTS, "")
    .replace(FORBIDDEN_ON_WINDOWS, " ")
    .replace(/ {2,}/g, " ")
    .trim();
}

/** Names with the same key are the same file on macOS or Windows. */
function collisionKey(name: string): string {
  return name.toUpperCase().toLowerCase().normalize("NFC");
}

function makePrintable(text: string): string {
  return text.replace(LINE_BREAKS, " ").replace(UNPRINTABLE, "").normalize("NFC");
}

/** Only a short ending of letters and digits counts as an extension; `extension` includes the dot, or is empty. */
function splitExtension(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf(".");
  const extension = dot > 0 ? name.slice(dot) : "";
  return EXTENSION.test(extension) ? { stem: name.slice(0, dot), extension } : { stem: name, extension: "" };
}

const cutToBytes = (text: string, maxBytes: number): string =>
  Buffer.byteLength(text) <= maxBytes ? text : startOf(text, maxBytes, Buffer.byteLength).trimEnd();
