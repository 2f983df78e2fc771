/** Error codes of channels and of the links on them, for error-codes.ts. */
import { on } from "./command-error-codes.ts";

export const CHANNEL_ERROR_CODES = {
  address_too_long: on(
    409,
    "The address of the link is too long for a QR code.",
    "Shorten the campaign or the address template of the channel.",
  ),
  channel_in_use: on(
    409,
    "The library shows the channel, so it can't be deleted.",
    "Choose another channel for the library first.",
  ),
  no_public_site: on(
    409,
    "Nothing says where readers find the books.",
    "Set `PUBLIC_BASE_URL`, `PUBLIC_SITE_URL` or `PUBLIC_BOOK_URL`, or the `bookUrl` of the channel.",
  ),
} as const;
