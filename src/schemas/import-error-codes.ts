/** Error codes of imports, for error-codes.ts. */
import { on } from "./command-error-codes.ts";

export const IMPORT_ERROR_CODES = {
  import_not_found: on(
    404,
    "No import has this id, it is another user's, or it is older than 30 days.",
    "List your imports.",
  ),
  content_missing: on(
    409,
    "The service lacks bytes of the import.",
    "Examine the files with the hashes in `missing` of the import, with its `importId`.",
  ),
  import_done: on(
    409,
    "The import has reached its end, or was undone.",
    "Make another one for what is to be changed.",
  ),
  import_not_ended: on(409, "The import hasn't ended.", "Wait until it has ended, or cancel it."),
  import_running: on(
    409,
    "Another import of the user is running.",
    "Wait until it has ended, or cancel it; `Location` has its path.",
  ),
  import_undo_expired: on(
    409,
    "The import was started too long ago to be undone.",
    "Restore former contents one by one, where they are still kept.",
  ),
  languages_missing: on(
    409,
    "Languages of the import don't exist, and the credential can't create languages.",
    "Let an editor create the languages that `message` names, then start the import again.",
  ),
} as const;
