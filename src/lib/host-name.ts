/** Host names in every script, and the ASCII form in which DNS and browsers carry them. */
import { domainToASCII, domainToUnicode } from "node:url";

const MAX_LENGTH = 253;

/** Labels of 1 to 63 characters, at least two, the last not a number (that would be an IP address). */
const HOST_NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

/**
 * The name in lower case and in its ASCII form (`xn--bcher-kva.example` for `bücher.example`); undefined when the text is
 * no host name of at least two labels. The caller bounds the length of the text.
 */
export function asciiHostName(text: string): string | undefined {
  const name = text.normalize("NFC").toLowerCase();
  const ascii = domainToASCII(name);
  // Refuses what domainToASCII only corrects: escapes, paths, other widths, other notations of numbers.
  const isSame = name === ascii || name === domainToUnicode(ascii);
  return isSame && ascii.length <= MAX_LENGTH && HOST_NAME.test(ascii) ? ascii : undefined;
}
