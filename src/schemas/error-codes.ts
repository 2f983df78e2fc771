/** Error codes, with status, meaning and remedy: the source of the types, the enums in openapi.json and docs/errors.md. */
import { ACCOUNT_ERROR_CODES } from "./account-error-codes.ts";
import { CHANNEL_ERROR_CODES } from "./channel-error-codes.ts";
import { COMMAND_ERROR_CODES, on } from "./command-error-codes.ts";
import { IMAGE_ERROR_CODES } from "./image-error-codes.ts";
import { IMPORT_ERROR_CODES } from "./import-error-codes.ts";
import { OUTBOX_ERROR_CODES } from "./outbox-error-codes.ts";

const CORRECT = "Correct the request.";
const RETRY = "Retry after the number of seconds in `Retry-After`.";
const RETRY_LATER = "Retry later. If the error persists, look up the `requestId` in the server log.";
const CHECK_ID = "Check the id; the record may have been deleted.";

/** The codes of problem documents. */
export const ERROR_CODES = {
  body_incomplete: on(400, "The connection closed before the body was complete.", "Send it again."),
  body_missing: on(400, "The operation requires a JSON body, but the request has none.", "Send a JSON body."),
  cloud_link_is_a_folder: on(400, "The cloud link leads to a folder.", "Link to the file in the folder."),
  file_empty: on(400, "The uploaded file is empty.", "Upload a file with content."),
  file_type_needed: on(
    400,
    "The book has several files in this language, and the request doesn't select one.",
    "Send `fileType` or `fileId`; the error lists the types.",
  ),
  geoip_key_missing: on(
    400,
    "The server has no key for the geolocation provider.",
    "Set `MAXMIND_ACCOUNT_ID` and `MAXMIND_LICENSE_KEY` and restart the server.",
  ),
  host_missing: on(400, "The request has no `Host` header, or several.", "Send exactly one `Host` header."),
  invalid_input: on(400, "One or more values are not valid; `errors` lists every one.", CORRECT),
  malformed_address: on(400, "The path isn't percent-encoded UTF-8.", "Percent-encode the path as UTF-8."),
  malformed_condition: on(
    400,
    "`If-Match` is malformed.",
    "Send the `version` of the record in quotes, or its `ETag`.",
  ),
  malformed_form: on(400, "The form is malformed.", "Send valid `application/x-www-form-urlencoded`."),
  malformed_json: on(
    400,
    "The body isn't valid JSON, or repeats a key.",
    "Send valid JSON with unique keys.",
  ),
  malformed_multipart: on(400, "The multipart form is malformed or was cut off.", "Send the form again."),
  malformed_query: on(
    400,
    "The query string isn't percent-encoded UTF-8.",
    "Percent-encode the query string as UTF-8.",
  ),
  not_a_sub_language: on(
    400,
    "The language has no parent, so it has no visibility overrides.",
    "Use the id of a language that has a `parentId`.",
  ),
  partial_content: on(
    400,
    "The body is only a part of a file, as `Content-Range` says.",
    "Send the whole file, without `Content-Range`.",
  ),
  upload_aborted: on(400, "The upload ended before the file was complete.", "Upload the file again."),
  wrong_password: on(400, "`currentPassword` is wrong.", "Send the current password."),
  unauthenticated: on(
    401,
    "The request has no valid credential for this operation: none was sent, it has expired or was revoked, or the operation doesn't accept its kind.",
    "Log in, or send a valid API key as `Authorization: Bearer <key>` where the operation accepts one.",
  ),
  wrong_credentials: on(401, "The e-mail address or the password is wrong.", "Check both and retry."),
  cross_site_request: on(
    403,
    "A browser sent the request from a page of another site.",
    "Send it from a page of the service itself. If it was, set `PUBLIC_BASE_URL` to the address at which browsers reach it.",
  ),
  foreign_origin: on(
    403,
    "A page of another site sent the form.",
    "Add the site's origin to `CORS_ORIGINS` or `PUBLIC_SITE_URL`.",
  ),
  permission_missing: on(
    403,
    "The credential is valid but lacks a permission that the operation requires.",
    "Use an account or API key that has the permission; `detail` names it.",
  ),
  api_key_not_found: on(404, "No API key has this id, or it was revoked.", CHECK_ID),
  book_not_found: on(404, "No book has this id.", CHECK_ID),
  channel_not_found: on(404, "No channel has this id or slug, or it isn't active.", CHECK_ID),
  contact_not_found: on(404, "No contact has this id.", CHECK_ID),
  content_unknown: on(
    404,
    "The service has no file with this SHA-256.",
    "Upload the file, or examine it and use the SHA-256 within an hour.",
  ),
  cover_not_found: on(404, "The book has no cover for this language.", "Upload a cover first."),
  download_token_unknown: on(404, "The download link isn't valid.", "Request a new download link."),
  file_not_found: on(404, "The book has no such file.", CHECK_ID),
  file_unavailable: on(
    404,
    "The file was deleted or is no longer published.",
    "Request a new download link; get the book to see its current files.",
  ),
  job_not_found: on(404, "No job has this id, or it ended more than a day ago.", "Check the id."),
  language_not_found: on(404, "No language has this id or code, or it isn't active.", CHECK_ID),
  logo_not_found: on(404, "The library has no logo.", "Upload a logo first."),
  not_found: on(404, "The path contains an identifier that can't exist.", "Check the path."),
  not_published: on(
    404,
    "The book isn't published in this language.",
    "Get the published book to see its languages.",
  ),
  nothing_to_download: on(404, "Nothing is published in this language.", "Choose another language."),
  replaced_not_found: on(
    404,
    "There was no content with this SHA-256 at this place, or it is no longer kept.",
    "List what is kept: `replaced` of the file or cover.",
  ),
  route_not_found: on(404, "No operation has this path.", "Check the path; `detail` names the nearest one."),
  session_not_found: on(404, "The user has no session with this id, or it has ended.", CHECK_ID),
  translation_not_found: on(404, "The book has no translation in this language.", CHECK_ID),
  user_not_found: on(404, "No user has this id.", CHECK_ID),
  method_not_allowed: on(405, "The path doesn't support this method.", "Use a method that `Allow` lists."),
  book_archived: on(409, "The book is archived.", "Restore the book first."),
  book_not_archived: on(409, "The book isn't archived, so it can't be restored.", "No action is needed."),
  consent_version_needed: on(
    409,
    "The version of the consent text belongs to another text.",
    "Send the changed text with a new `consentVersion`.",
  ),
  custom_domain_taken: on(409, "Another language has this custom domain.", "Use another domain."),
  doctor_running: on(409, "Another examination is running.", "Wait until it has finished, then retry."),
  email_taken: on(409, "Another user or contact has this e-mail address.", "Use another address."),
  file_type_changed: on(
    409,
    "The type of the file was changed while its content was being uploaded.",
    "Fetch the file's metadata and upload again.",
  ),
  file_is_uploaded: on(
    409,
    "The file was uploaded, so it can't become a link.",
    "Add the link as a separate file; the upload is kept but becomes inactive.",
  ),
  geoip_update_running: on(
    409,
    "Another update of the City database is running.",
    "Wait until it has finished, then retry.",
  ),
  job_running: on(
    409,
    "Another job of this kind is running.",
    "Wait until it has ended, or cancel it; `Location` has its path.",
  ),
  language_code_taken: on(409, "Another language has this code.", "Use the existing language."),
  publication_inherited: on(
    409,
    "The sub-language inherits this publication from its parent.",
    "Unpublish the book in the parent language, or hide it in the sub-language.",
  ),
  slug_taken: on(
    409,
    "Another book has this slug.",
    "Use another slug, or leave it out to have one derived.",
  ),
  download_renewal_expired: on(410, "The first link is more than 24 hours old.", "Request a new link."),
  download_token_expired: on(410, "The download link has expired.", "Renew the link, or request a new one."),
  changed_meanwhile: on(
    412,
    "The record isn't in a version that `If-Match` lists.",
    "Compare your change with `current`, and send it again with the version of `current`.",
  ),
  precondition_failed: on(
    412,
    "`If-Match` or `If-Unmodified-Since` doesn't match the current version.",
    "Fetch the current version and retry with its `ETag`.",
  ),
  body_too_large: on(
    413,
    "The body is larger than this operation accepts, or has more than 100,000 values.",
    "Send a smaller body.",
  ),
  file_too_large: on(413, "The file is larger than `MAX_UPLOAD_BYTES`.", "Upload a smaller file."),
  unknown_file_type: on(
    415,
    "The content of the file is not of a supported type.",
    "Convert the file, or export it again if `detail` says that it is damaged or two things at once.",
  ),
  unsupported_charset: on(415, "The body declares a charset other than UTF-8.", "Send UTF-8."),
  unsupported_encoding: on(415, "The body has a `Content-Encoding`.", "Send the body uncompressed."),
  unsupported_media_type: on(415, "The operation doesn't accept this `Content-Type`.", CORRECT),
  wrong_file_type: on(
    415,
    "The content of the file isn't of the type given by `fileType` or its extension.",
    "Send the matching `fileType`, or leave it out, and check the extension.",
  ),
  range_not_satisfiable: on(
    416,
    "The file has no bytes in the requested range.",
    "Request a range within the size that `Content-Range` reports.",
  ),
  too_many_requests: on(429, "The rate limit is exceeded.", RETRY),
  too_many_responses: on(
    429,
    "Too many responses to this address are still being sent.",
    "Wait until some of them have been received.",
  ),
  headers_too_large: on(
    431,
    "The request has too many or too long headers.",
    "Send fewer or shorter headers.",
  ),
  geoip_not_stored: on(500, "The City database was downloaded but couldn't be stored.", RETRY_LATER),
  server_error: on(500, "Internal server error.", RETRY_LATER),
  geoip_provider_failed: on(
    502,
    "The geolocation provider rejected the request, timed out or sent an unexpected response.",
    "Check the key and the provider's status, then retry.",
  ),
  archive_unavailable: on(503, "The ZIP can't be built at the moment.", RETRY_LATER),
  archive_in_preparation: on(503, "The ZIP is still being built.", RETRY),
  clock_wrong: on(
    503,
    "The clock of this instance is further off the database's than the life of a download link.",
    "Correct the clock of the machine, for example by NTP.",
  ),
  cache_busy: on(503, "The cache for ZIPs is full of unfinished downloads.", RETRY),
  cover_unavailable: on(503, "The cover can't be read at the moment.", RETRY_LATER),
  database_unavailable: on(503, "The database can't be used at the moment.", RETRY_LATER),
  file_unreadable: on(503, "The stored file can't be read at the moment.", RETRY_LATER),
  images_busy: on(503, "Too many images are being processed.", RETRY),
  login_busy: on(503, "Too many log-ins are in progress.", RETRY),
  reports_in_preparation: on(503, "All downloads are still being read for the reports.", RETRY),
  starting: on(503, "The server is starting.", RETRY),
  stopping: on(503, "The server is shutting down.", RETRY),
  storage_unavailable: on(503, "The file storage isn't available.", RETRY_LATER),
  disk_full: on(507, "The server's disk is full.", "Ask the operator to free space, then retry."),
  ...ACCOUNT_ERROR_CODES,
  ...CHANNEL_ERROR_CODES,
  ...IMAGE_ERROR_CODES,
  ...IMPORT_ERROR_CODES,
  ...OUTBOX_ERROR_CODES,
} as const;

const ALL_CODES = { ...ERROR_CODES, ...COMMAND_ERROR_CODES };

/** A code that an error may have. */
export type ErrorCode = keyof typeof ALL_CODES;

/** The codes that go with a status. */
export type ErrorCodeOf<Status extends number> = {
  [Code in ErrorCode]: (typeof ALL_CODES)[Code]["status"] extends Status ? Code : never;
}[ErrorCode];

/** The codes of single fields, in `errors`. */
export const FIELD_ERROR_CODES = {
  after_itself: "A book can't be placed after itself.",
  archived_book: "The book is archived.",
  cloud_link_is_a_folder: "The link leads to a folder; link to the file in it.",
  common_password: "The password is a common one.",
  contradiction: "Two fields refer to different records.",
  end_before_start: "The end is not after the start.",
  exactly_one_needed: "The request has none or both of two alternative fields; send exactly one.",
  expiry_in_past: "The expiry is in the past.",
  file_type_needed: "The book has several files in this language; select one.",
  impossible_date: "The date doesn't exist, or is outside the years 1970 to 9999.",
  inherited_publication: "The sub-language inherits the publication from its parent.",
  inactive_account: "An account that can't log in isn't invited.",
  invalid_characters: "The text has control characters or an unpaired surrogate.",
  damaged_letters: "The text isn't UTF-8, and the form doesn't name its charset.",
  invalid_date: "The value is neither `YYYY-MM-DD` nor an ISO 8601 time with a time zone.",
  invalid_email: "The text is not an e-mail address.",
  invalid_field_name: "The name of a form field is not valid.",
  invalid_element: "An element of the list is not valid.",
  invalid_format: "The text doesn't have the required format.",
  invalid_isbn: "The text is not an ISBN, or its check digit is wrong.",
  invalid_key: "A key is not valid.",
  invalid_language_code: "The text is not a BCP 47 language code.",
  invalid_type: "The value has the wrong JSON type, or a required value is missing.",
  invalid_union: "The value matches none of the accepted forms.",
  invalid_value: "The value is not one of the accepted values.",
  limit_field_array_index: "The index in the name of a form field is too large.",
  limit_field_count: "The form has too many fields.",
  limit_field_key: "The name of a form field is too long.",
  limit_field_nesting: "The name of a form field is nested too deeply.",
  limit_field_value: "The value of a form field is too long.",
  limit_file_count: "The form has too many files.",
  limit_file_size: "A file of the form is too large.",
  limit_part_count: "The form has too many parts.",
  limit_unexpected_file: "The form has a file that the operation doesn't accept.",
  mail_not_configured: "The service sends no letters.",
  marketing_needed: "`textVersion` requires `marketing`.",
  mixed_moves: "Some moves have `sortOrder` and some `after`; send one kind in each request.",
  missing: "A required part of the form is missing.",
  missing_books: "Some active books are missing from the order.",
  missing_cloud_url: "`sourceType` requires `cloudUrl` here.",
  missing_field_name: "A part of the form has no name.",
  missing_language: "Neither `languageId` nor `languageCode` was sent.",
  missing_slug: "No slug can be derived from the title; send one.",
  not_changeable: "The value can't be changed for an uploaded file.",
  not_multiple_of: "The number is not a multiple of the required step.",
  repeated_book: "The book occurs twice.",
  repeated_file: "The file type occurs twice for its language.",
  repeated_language: "The language occurs twice.",
  repeated_publication: "An earlier change is about the same book, channel and language.",
  repeated_slug: "An earlier item of the request has the same slug.",
  slug_of_another_title:
    "The slug that is derived from the title belongs to a book with another title; send a slug.",
  text_version_needed: "The decision, or the consent text, requires the version of the text.",
  too_big: "The number is too large, or the text or list is too long.",
  too_many_cities: "The search matches too many cities.",
  too_many_titles: "The search matches too many titles.",
  too_many_marks: "The text has too many combining marks in a row.",
  too_many_periods: "The date range has too many periods of this granularity.",
  too_many_spellings: "The value has too many spellings that differ in case and accents.",
  too_many_words: "The search has too many different words.",
  too_small: "The number is too small, or the text or list is too short.",
  unfit_parent: "The language can't be a parent.",
  unknown_book: "No such book exists.",
  unknown_channel: "No such channel exists.",
  unknown_field: "The operation has no such field or parameter.",
  unknown_language: "No such language exists.",
  unknown_text_version: "No consent text has this version.",
  unknown_timezone: "The value is not the name of an IANA time zone.",
  url_host_not_public: "The host of the link isn't on the public internet.",
  url_malformed: "The link is not a valid URL.",
  url_not_https: "The link doesn't start with `https://`.",
  url_of_another_provider: "The link doesn't belong to the provider given by `sourceType`.",
  url_port_not_allowed: "The link contains a port.",
  url_too_long: "The link is too long.",
  url_with_credentials: "The link contains a user name or password.",
  wrong_password: "The current password is wrong.",
} as const;

export type FieldErrorCode = keyof typeof FIELD_ERROR_CODES;

const isFieldErrorCode = (code: unknown): code is FieldErrorCode =>
  typeof code === "string" && Object.hasOwn(FIELD_ERROR_CODES, code);

/** The code of a library's error; `invalid_value` if this list doesn't contain it. */
export const fieldErrorCodeOf = (code: unknown): FieldErrorCode =>
  isFieldErrorCode(code) ? code : "invalid_value";

/**
 * Adds a code to an issue of zod: `addIssue({ code: "custom", message, params: withCode("taken") })`.
 * @param suggestion a valid value that is probably meant
 */
export const withCode = (code: FieldErrorCode, suggestion?: string) => ({ code, suggestion });

/** A rule of zod with its message and code: `.refine(isFree, rule("taken", "is taken"))`. */
export const rule = (code: FieldErrorCode, error: string) => ({ error, params: withCode(code) });
