/** Character encodings of files that others made. */

/** Names that programs write and the WHATWG Encoding Standard doesn't have. */
const OTHER_LABELS: ReadonlyMap<string, string> = new Map([
  ["932", "shift_jis"],
  ["936", "gbk"],
  ["949", "euc-kr"],
  ["950", "big5"],
  ["10000", "macintosh"],
  ["28591", "iso-8859-1"],
  ["65001", "utf-8"],
]);

/** The name of an encoding as `TextDecoder` knows it; undefined for an unknown one. */
export function findEncoding(label: string): string | undefined {
  const number = /^(?:cp|ms|windows|ibm|x-cp|codepage)?[-_]?(\d{3,5})$/i.exec(label)?.[1] ?? "";
  const written = label.replace(/^iso[-_]?8859[-_]/i, "iso-8859-");
  const candidates = [label, written, OTHER_LABELS.get(number), `windows-${number}`, `ibm${number}`];
  for (const candidate of candidates) {
    if (candidate === undefined) continue;
    try {
      return new TextDecoder(candidate).encoding;
    } catch {
      // RangeError: the next one
    }
  }
  return undefined;
}

/**
 * @param label what the file says; without one, or with an unknown one, it is UTF-8, or windows-1252 if nothing beyond
 * ASCII is UTF-8
 */
export function decodeText(bytes: Uint8Array, label?: string): string {
  const encoding = label === undefined ? undefined : findEncoding(label);
  if (encoding !== undefined) return new TextDecoder(encoding).decode(bytes);
  const text = new TextDecoder().decode(bytes);
  return text.includes("\ufffd") && !/[\u0080-\ufffc]/.test(text)
    ? new TextDecoder("windows-1252").decode(bytes)
    : text;
}
