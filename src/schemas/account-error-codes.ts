/** The error codes of users, invitations and forgotten passwords. */
import { on } from "./command-error-codes.ts";

export const ACCOUNT_ERROR_CODES = {
  mail_not_configured: on(
    400,
    "The request needs letters, and the service sends none.",
    "Leave the field out, or let the operator set `SMTP_URL`.",
  ),
  no_letters: on(
    404,
    "The service sends no letters.",
    "Ask an administrator for a new password, or let the operator set `SMTP_URL`.",
  ),
  reset_unknown: on(404, "The link that sets a password isn't valid.", "Request another letter."),
  last_admin: on(
    409,
    "This is the last active administrator, who can't be deleted, demoted or deactivated.",
    "Create another administrator first.",
  ),
  password_already_set: on(
    409,
    "The user has a password, so there is nothing to invite to.",
    "Set a new password, or let the user request a letter at the log-in.",
  ),
  too_many_letters: on(
    409,
    "The user has got three letters with a link within a day.",
    "Wait a day, or set a password.",
  ),
  reset_expired: on(
    410,
    "The link that sets a password has expired or was used, or the account has changed since.",
    "Request another letter.",
  ),
} as const;
