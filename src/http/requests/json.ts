/** Reads a JSON body within limits, and rejects what exceeds them early. */
import type { Request } from "express";
import { AppError, badRequest, payloadTooLarge, unsupportedMediaType } from "../../errors.ts";
import { createYielder, type Yielder } from "../../lib/event-loop.ts";

export const MAX_JSON_BYTES = 1024 * 1024;

/** Enough for forms that people fill in. Unauthenticated clients can't send more. */
export const MAX_FORM_BYTES = 16 * 1024;

/**
 * The average size that chunks must have if the body is as long as allowed. Node needs 4 µs per chunk, and a read of 64
 * KiB can contain ten thousand chunks of one byte.
 */
const MIN_CHUNK_BYTES = 16;

/**
 * After this many more chunks the response has been written, and the connection is closed instead of reading the rest.
 */
const MORE_CHUNKS = 100;

/** Maximum initial buffer size, regardless of the declared length of a body. */
const FIRST_BYTES = 16 * 1024;

/** A compressed body can grow a thousandfold. */
export function rejectCompression(req: Request): void {
  const encoding = req.get("content-encoding") ?? "identity";
  if (encoding.toLowerCase() !== "identity") {
    throw unsupportedMediaType("unsupported_encoding", "The body must not be compressed.", {
      headers: { "Accept-Encoding": "identity" },
    });
  }
}

/** The charset of the body according to its header. */
export const readCharset = (req: Request): string | undefined =>
  /;\s*charset="?([^\s;"]+)/i.exec(req.get("content-type") ?? "")?.[1];

/** JSON is UTF-8 (RFC 8259, 8.1). */
export function rejectEncoding(req: Request): void {
  rejectCompression(req);
  if (!/^utf-?8$/i.test(readCharset(req) ?? "utf-8")) {
    throw unsupportedMediaType("unsupported_charset", "The body must be UTF-8.");
  }
}

/** @throws AppError 400 body_incomplete, 413. A body that is too large isn't read completely. */
export function receiveBody(req: Request, maxBytes: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const declared = Number(req.get("content-length") ?? maxBytes);
  if (declared > maxBytes) throw tooLarge(maxBytes);
  // A request that has already ended emits no more events.
  if (req.destroyed) throw incomplete();
  const maxChunks = Math.ceil(maxBytes / MIN_CHUNK_BYTES);
  let buffer: Buffer = Buffer.allocUnsafe(Math.min(FIRST_BYTES, declared));
  let size = 0;
  let chunks = 0;
  const take = (chunk: Buffer) => {
    chunks += 1;
    if (chunks === maxChunks + 1) reject(tooManyChunks(maxChunks));
    if (chunks > maxChunks + MORE_CHUNKS) req.destroy();
    if (chunks > maxChunks) return;
    if (size + chunk.length > maxBytes) {
      req.off("data", take).pause();
      return reject(tooLarge(maxBytes));
    }
    if (size + chunk.length > buffer.length) buffer = enlarge(buffer, size + chunk.length, maxBytes);
    size += chunk.copy(buffer, size);
  };
  const leave = () => reject(incomplete());
  req.on("data", take);
  req.once("end", () => {
    req.off("close", leave);
    resolve(buffer.subarray(0, size));
  });
  req.once("close", leave);
  return promise;
}

/**
 * Chunks are copied into one buffer, so that none is retained: a million chunks of one byte would take 450 MB. While it
 * grows, the old and the new buffer together hold at most one and a half times the limit.
 */
function enlarge(buffer: Buffer, leastBytes: number, maxBytes: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.min(Math.max(leastBytes, 2 * buffer.length), maxBytes));
  buffer.copy(larger);
  return larger;
}

const tooLarge = (maxBytes: number) =>
  payloadTooLarge("body_too_large", `The body may have at most ${maxBytes} bytes.`);

const tooManyChunks = (maxChunks: number) =>
  payloadTooLarge("body_too_large", `The body must not arrive in more than ${maxChunks} chunks.`);

const incomplete = () => badRequest("body_incomplete", "The connection closed before the body was complete.");

// Parsing: strict UTF-8, limited, and no repeated names in an object.

/** More than twice as many levels as any operation needs. */
const MAX_DEPTH = 32;
/**
 * A thousand books with five translations and five links each have 61,000 values. Work grows with each, however short.
 */
const MAX_VALUES = 100_000;
/** Different ones, in the whole body. No operation has as many fields, and parsing new names takes longest. */
const MAX_NAMES = 100;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Decoding and parsing need up to 20 ms each for the longest body: others get their turn between them, during the scan, and
 * before the caller checks the values.
 * @throws AppError 400 malformed_json, 413 for too many values
 */
export async function parseJson(bytes: Uint8Array): Promise<unknown> {
  const yieldToEventLoop = createYielder();
  const text = decode(bytes);
  try {
    await scan(text, yieldToEventLoop);
    await yieldToEventLoop();
    const parsed: unknown = JSON.parse(text);
    await yieldToEventLoop();
    return parsed;
  } catch (error) {
    throw error instanceof AppError ? error : malformedJson("It is incomplete or malformed.", error);
  }
}

/** Invalid UTF-8 would otherwise silently become replacement characters. */
function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw malformedJson("It is not UTF-8.", cause);
  }
}

const malformedJson = (what: string, cause?: unknown) =>
  badRequest("malformed_json", `The body is not valid JSON. ${what}`, { cause });

/** Characters: a millisecond of work. */
const SCANNED_AT_ONCE = 100_000;

const [QUOTE, BACKSLASH, COLON, COMMA] = encodeCharacters('"\\:,');
const [LIST_START, LIST_END, OBJECT_START, OBJECT_END] = encodeCharacters("[]{}");
const BLANKS = new Set(encodeCharacters(" \t\n\r"));
const [BLANK = 0] = BLANKS;

function encodeCharacters(characters: string): number[] {
  return Array.from(characters, (character) => character.charCodeAt(0));
}

/**
 * Rejects deep nesting, too many values and repeated names before anything is built from the text. Parsers differ in
 * which of two equal names they use (RFC 8259, 4), so a filter in front of the service could see another value.
 */
async function scan(text: string, yieldToEventLoop: Yielder): Promise<void> {
  const names = new Names();
  let pause = SCANNED_AT_ONCE;
  let depth = 0;
  /** The outermost value, then one for each comma and for each list or object that opens. */
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    if (at > pause) {
      pause = at + SCANNED_AT_ONCE;
      await yieldToEventLoop();
    }
    switch (text.charCodeAt(at)) {
      case LIST_START:
      case OBJECT_START:
        values += 1;
        depth += 1;
        if (depth > MAX_DEPTH) throw malformedJson("It is nested too deeply.");
        names.open(depth);
        break;
      case LIST_END:
      case OBJECT_END:
        depth = Math.max(0, depth - 1);
        break;
      case COMMA:
        values += 1;
        break;
      case QUOTE: {
        const end = endOfString(text, at + 1);
        if (isBeforeColon(text, end + 1)) names.add(text.slice(at + 1, end), depth);
        at = end;
      }
    }
    if (values > MAX_VALUES)
      throw payloadTooLarge("body_too_large", `The body may have at most ${MAX_VALUES} values.`);
  }
}

/** The names of all open objects. A set for each object would take longer than parsing. */
class Names {
  /** Numbers the different names of the body. */
  readonly #numbers = new Map<string, number>();
  /** By depth: the number of the object or list that is open there. */
  readonly #open: number[] = [];
  /** By depth: for each name, the last object there that had it. */
  readonly #lastIn: number[][] = [];
  #opened = 0;

  open(depth: number): void {
    this.#opened += 1;
    this.#open[depth] = this.#opened;
  }

  /** @param written the name between its quotes, with its escapes */
  add(written: string, depth: number): void {
    const name = written.includes("\\") ? String(JSON.parse(`"${written}"`)) : written;
    const number = this.#numbers.get(name) ?? this.#numbers.size;
    if (number === MAX_NAMES) throw malformedJson(`It has more than ${MAX_NAMES} different names.`);
    if (number === this.#numbers.size) this.#numbers.set(name, number);
    const lastIn = this.#lastIn[depth] ?? [];
    this.#lastIn[depth] = lastIn;
    const object = this.#open[depth] ?? 0;
    if (lastIn[number] === object)
      throw malformedJson(`It repeats the name ${JSON.stringify(name.slice(0, 100))}.`);
    lastIn[number] = object;
  }
}

/**
 * The position of the closing quote. Most strings have no escapes: searching for the quote takes a quarter of the time
 * of a loop.
 */
function endOfString(text: string, from: number): number {
  const quote = text.indexOf('"', from);
  if (quote >= 0 && text.charCodeAt(quote - 1) !== BACKSLASH) return quote;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  throw malformedJson("A string is not terminated.");
}

function isBeforeColon(text: string, from: number): boolean {
  let at = from;
  let code = text.charCodeAt(at);
  while (code <= BLANK && BLANKS.has(code)) {
    at += 1;
    code = text.charCodeAt(at);
  }
  return code === COLON;
}
