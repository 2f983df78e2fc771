// A request as a command that sends it again.
import type { RawRequest } from "./request.ts";

/** Longer bodies are named by their length and beginning. */
const MAX_BODY_CHARACTERS = 4000;

export function formatCurl(
  base: string,
  { method, target, headers, body, claimedLength }: RawRequest,
): string {
  const parts = [
    "curl -i --path-as-is --globoff",
    ...(method === "HEAD" ? ["-I"] : [`-X ${quote(method)}`]),
    ...headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(claimedLength === undefined ? [] : [`-H ${quote(`Content-Length: ${claimedLength}`)}`]),
    ...(body === undefined ? [] : [`--data-binary ${formatBody(body)}`]),
    quote(base + target),
  ];
  return parts.join(" ");
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Bytes that a terminal can't show are written as bash understands them. */
function formatBody(body: Buffer): string {
  const text = body.toString("latin1");
  if (text.length > MAX_BODY_CHARACTERS)
    return `${formatBody(body.subarray(0, MAX_BODY_CHARACTERS))} # and so on, ${body.length} bytes`;
  if (/^[\n\x20-\x7e]*$/.test(text)) return quote(text);
  const shown = text.replaceAll(/[^ -&(-[\]-~]/g, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
  });
  return `$'${shown}'`;
}
