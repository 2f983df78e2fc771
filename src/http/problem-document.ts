/** A fault as a problem document (RFC 9457). */
import type { AppError } from "../errors.ts";
import type { Problem } from "../schemas/problem.schemas.ts";

/** More than anybody mends in one go; a body of a mebibyte can hold a hundred thousand. */
const MAX_FAULTS = 100;

/** @param instance the address at which it happened */
export function problemDocument(error: AppError, instance: string, requestId: string): Problem {
  const { status, code, message, faults } = error;
  return {
    type: `urn:book-distribution-service:problem:${code}`,
    title: titleOf(status),
    status,
    detail: message,
    instance,
    code,
    error: message,
    requestId,
    ...(faults.length > 0 && { errors: faults.slice(0, MAX_FAULTS) }),
  };
}

/** The label of a status: the specification's, or the usual reason phrase. */
export const titleOf = (status: number): string => TITLES[status] ?? "Error";

const TITLES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Record Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  410: "Gone",
  412: "Precondition Failed",
  413: "Payload Too Large",
  415: "Unsupported Media Type",
  416: "Range Not Satisfiable",
  417: "Expectation Failed",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  507: "Insufficient Storage",
};
