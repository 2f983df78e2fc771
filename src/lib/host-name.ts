/** Host names in every script, and their ASCII form for DNS and browsers. */
import { domainToASCII, domainToUnicode } from "node:url";

const MAX_LENGTH = 253;

/** Labels of 1 to 63 characters, at least two, the last not a number (which would be an IP address). */
const HOST_NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

/** Whether the name is its own ASCII form, as most are: the conversion takes longer than all checks. */
const isConverted = (name: string): boolean => /^[a-z0-9.-]*$/.test(name) && !name.includes("xn--");

/**
 * The name in lower case and in ASCII form (`xn--bcher-kva.example` for `bücher.example`); undefined if the text isn't
 * a host name of at least two labels. The caller limits the length of the text.
 */
export function toAsciiHostName(text: string): string | undefined {
  const name = text.normalize("NFC").toLowerCase();
  const ascii = isConverted(name) ? name : domainToASCII(name);
  // Rejects texts that domainToASCII would correct: escapes, paths, full-width characters, other notations of numbers.
  const isSame = name === ascii || name === domainToUnicode(ascii);
  return isSame && ascii.length <= MAX_LENGTH && HOST_NAME.test(ascii) ? ascii : undefined;
}
