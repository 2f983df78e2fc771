/** What is percent-encoded: the query of an address, and the body of an HTML form. */
import { type ParsedUrlQuery, parse } from "node:querystring";
import type { Request } from "express";
import { badRequest } from "../../errors.ts";
import { MAX_FORM_BYTES, receiveBody, rejectEncoding } from "./json.ts";

/**
 * The parameters by name, a list for one that is given more than once. As many as the bounds on headers let through.
 * @throws AppError 400 malformed_query for what isn't percent-encoded UTF-8 (RFC 3986, 2.1 and 2.5): lenient parsers
 * would read it as something that nobody meant
 */
export function parseQuery(text: string | null): ParsedUrlQuery {
  const given = text ?? "";
  if (!isPercentEncoded(given))
    throw badRequest("malformed_query", "The query string is not percent-encoded UTF-8.");
  return parse(given, "&", "=", { maxKeys: 0 });
}

function isPercentEncoded(text: string): boolean {
  if (/[^\x21-\x7e]/.test(text)) return false;
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Far more than the forms have. */
const MAX_FORM_FIELDS = 50;

/**
 * Reads `application/x-www-form-urlencoded`: fields by name, of repeated ones the last. An empty field counts as absent.
 * @throws AppError 400 malformed_form or body_incomplete, 413, 415
 */
export async function readForm(req: Request): Promise<Record<string, string>> {
  rejectEncoding(req);
  const text = (await receiveBody(req, MAX_FORM_BYTES)).toString("latin1");
  if (!isPercentEncoded(text)) throw malformedForm("is not percent-encoded UTF-8");
  if (text.split("&", MAX_FORM_FIELDS + 1).length > MAX_FORM_FIELDS)
    throw malformedForm(`has more than ${MAX_FORM_FIELDS} fields`);
  const fields = Object.entries(parse(text)).map(([name, given]) => [name, [given].flat().at(-1)]);
  return Object.fromEntries(fields.filter(([, value]) => value !== ""));
}

const malformedForm = (what: string) => badRequest("malformed_form", `The form ${what}.`);
