/** Codes that plans, imports and their jobs can have: the console says each of them in each of its languages. */
import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../../console/src/messages/languages.ts";
import { readTexts } from "../../scripts/text-arguments.ts";
import { ERROR_CODES, FIELD_ERROR_CODES } from "../../src/schemas/error-codes.ts";
import { examinedFile } from "../../src/schemas/examinations.schemas.ts";
import { NOTICE_CODES } from "../../src/schemas/import-notices.schemas.ts";
import { IMPORT_STATES, KEPT_CODES } from "../../src/schemas/import-runs.schemas.ts";
import { LEFT_OUT_CODES, PLANNED_ERROR_CODES } from "../../src/schemas/imports.schemas.ts";

/** About the form of requests, which the console writes rightly, and about what readers do. */
const NOT_OF_IMPORTS: ReadonlySet<string> = new Set([
  ...["body_missing", "host_missing", "malformed_address", "malformed_condition", "malformed_form"],
  ...["malformed_json", "malformed_query", "foreign_origin", "method_not_allowed", "headers_too_large"],
  "partial_content",
  ...["unsupported_charset", "unsupported_encoding", "range_not_satisfiable", "too_many_responses"],
  ...["download_token_unknown", "download_token_expired", "download_renewal_expired", "file_unavailable"],
  ...["nothing_to_download", "archive_unavailable", "archive_in_preparation", "cache_busy", "clock_wrong"],
  ...["mail_not_configured", "no_letters", "reset_unknown", "reset_expired", "letters_stopped"],
  ...["email_not_confirmed", "confirmation_unknown", "confirmation_expired", "login_busy"],
  ...["geoip_not_stored", "reports_in_preparation", "replaced_not_found"],
  // Said by their status, with the time to wait.
  ...["too_many_requests", "starting"],
]);

/** Of fields of forms, of letters, and of lists that a catalogue doesn't have. */
const FIELDS_NOT_OF_IMPORTS: ReadonlySet<string> = new Set([
  ...["limit_field_array_index", "limit_field_count", "limit_field_key", "limit_field_nesting"],
  ...["limit_field_value", "limit_file_count", "limit_part_count", "limit_unexpected_file"],
  ...["invalid_field_name", "missing_field_name", "damaged_letters", "inactive_account"],
  ...["mail_not_configured", "marketing_needed", "mixed_moves", "missing_books", "too_many_spellings"],
]);

const CODES: Readonly<Record<string, readonly string[]>> = {
  leftOut: LEFT_OUT_CODES,
  importErrors: PLANNED_ERROR_CODES,
  importNotices: NOTICE_CODES,
  errors: Object.keys(ERROR_CODES).filter((code) => !NOT_OF_IMPORTS.has(code)),
  fieldErrors: Object.keys(FIELD_ERROR_CODES).filter((code) => !FIELDS_NOT_OF_IMPORTS.has(code)),
  "imports.keptCodes": KEPT_CODES,
  "imports.states": IMPORT_STATES,
};

describe.each(Object.keys(LANGUAGES))("in %s", (language) => {
  const texts = new Map([...readTexts(language).values()].flatMap((ofFile) => [...ofFile]));

  it.each(Object.keys(CODES))("each code of %s has a text", (group) => {
    const codes = CODES[group] ?? [];
    expect(codes.filter((code) => !texts.has(`${group}.${code}`))).toEqual([]);
  });

  it("the loss of an instance has a text", () => {
    expect(texts.has("imports.lost")).toBe(true);
  });
});

it("what an examination says of a file is what a plan says of it", () => {
  const { options } = examinedFile.shape.errorCodes.element;
  expect(options.filter((code) => !LEFT_OUT_CODES.includes(code))).toEqual([]);
});

it("each code that is left out here exists", () => {
  expect([...NOT_OF_IMPORTS].filter((code) => !(code in ERROR_CODES))).toEqual([]);
  expect([...FIELDS_NOT_OF_IMPORTS].filter((code) => !(code in FIELD_ERROR_CODES))).toEqual([]);
});
