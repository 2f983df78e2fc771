/** Reads HTML forms (`application/x-www-form-urlencoded`), in UTF-8 or in the charset that they name. */
import { isUtf8 } from "node:buffer";
import { parse as parseParameters } from "node:querystring";
import type { Request } from "express";
import { badRequest, bodyError } from "../../errors.ts";
import { MAX_FORM_BYTES, readCharset, receiveBody, rejectCompression } from "./json.ts";
import { contextOf } from "./request-context.ts";

/** Far more than the forms have. */
const MAX_FORM_FIELDS = 50;

/** Also bytes outside ASCII as they are: programs send them, and browsers' own parsers read them. */
const PERCENT_ENCODED = /^(?:[\x21-\x24\x26-\x7e\x80-\xff]|%[\da-fA-F]{2})*$/;

/** The field that a browser fills in with the charset of the form (HTML, "Selecting a form submission encoding"). */
const CHARSET_FIELD = "_charset_";

/**
 * The fields by name; the last one counts if repeated. An empty field counts as absent.
 * @throws AppError 400 malformed_form or body_incomplete, 413, 415
 */
export async function readForm(req: Request): Promise<Record<string, string>> {
  rejectCompression(req);
  const text = (await receiveBody(req, MAX_FORM_BYTES)).toString("latin1");
  if (!PERCENT_ENCODED.test(text)) throw malformedForm("is not percent-encoded");
  if (text.split("&", MAX_FORM_FIELDS + 1).length > MAX_FORM_FIELDS)
    throw malformedForm(`has more than ${MAX_FORM_FIELDS} fields`);
  const parsed = Object.entries(parseParameters(text, "&", "=", { decodeURIComponent: unescapeBytes }));
  const fields = new Map(parsed.map(([name, given]) => [name, [given].flat().at(-1) ?? ""]));
  // Also for the page of an error below; codes are ASCII.
  contextOf(req).page = { language: fields.get("languageCode") };
  const decode = createDecoder([...fields.values()], fields.get(CHARSET_FIELD) || readCharset(req));
  const damaged: string[] = [];
  const decoded = [...fields].flatMap(([name, bytes]) => {
    const value = decode(bytes);
    if (value === undefined) damaged.push(name);
    return value ? [[name, value]] : [];
  });
  if (damaged.length > 0) throw lettersDamaged(damaged);
  return Object.fromEntries(decoded);
}

/** Bytes as a text of one character each. */
export const unescapeBytes = (text: string): string =>
  text.replace(/%([\da-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

type Decoder = (bytes: string) => string | undefined;

/** Charsets of Japanese and Chinese mail switch to other letters by this character, in ASCII bytes. */
const ESCAPE = "\x1b";

/**
 * @param values bytes of all fields
 * @param label the charset that the form names, if any
 * @returns what decodes the bytes of one field; undefined for bytes that the charset doesn't have
 */
function createDecoder(values: readonly string[], label: string | undefined): Decoder {
  const named = label === undefined ? undefined : findCharset(label);
  if (!named) return decodeUtf8;
  const isInUtf8 = values.every((value) => isUtf8(toBytes(value)) && !value.includes(ESCAPE));
  const decode = isInUtf8 ? decodeUtf8 : decodeBy(named);
  return (bytes) => decode(bytes)?.replace(CHARACTER_REFERENCE, readCharacter);
}

/** Undefined for UTF-8 and for what isn't the name of a charset. */
function findCharset(label: string): TextDecoder | undefined {
  try {
    const decoder = new TextDecoder(label, { fatal: true });
    return decoder.encoding === "utf-8" ? undefined : decoder;
  } catch {
    return undefined; // RangeError: not a label (WHATWG Encoding, 4.2)
  }
}

export const toBytes = (text: string): Buffer => Buffer.from(text, "latin1");

function decodeUtf8(text: string): string | undefined {
  const bytes = toBytes(text);
  return isUtf8(bytes) ? bytes.toString() : undefined;
}

const decodeBy =
  (charset: TextDecoder): Decoder =>
  (text) => {
    try {
      return charset.decode(toBytes(text));
    } catch {
      return undefined; // TypeError: bytes that the charset doesn't have
    }
  };

/** What browsers send for a letter that the charset of the form lacks. */
const CHARACTER_REFERENCE = /&#(\d{1,7});/g;

function readCharacter(reference: string, digits: string): string {
  const codePoint = Number(digits);
  return codePoint <= 0x10_ff_ff ? String.fromCodePoint(codePoint) : reference;
}

const lettersDamaged = (fields: readonly string[]) =>
  badRequest(
    "malformed_form",
    'Letters of the form arrived damaged: it is neither UTF-8 nor names its charset. Add accept-charset="utf-8" to the form.',
    { errors: fields.map((name) => bodyError(name.toWellFormed(), "is not UTF-8", "damaged_letters")) },
  );

const malformedForm = (what: string) => badRequest("malformed_form", `The form ${what}.`);
