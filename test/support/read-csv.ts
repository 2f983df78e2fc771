/** Reads CSV strictly as RFC 4180 writes it: what isn't quoted as it must be is an error. */

/** The records of a text; every one ends with CRLF. */
export function readCsv(text: string, delimiter: "," | ";" | "\t" = ","): string[][] {
  const cellPattern = CELLS[delimiter];
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  while (at < text.length) {
    const [cell = "", quoted, plain, end] = cellPattern.exec(text.slice(at, at + LONGEST)) ?? [];
    if (end === undefined) throw new Error(`Not CSV at ${at}: ${JSON.stringify(text.slice(at, at + 40))}`);
    record.push(quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'));
    at += cell.length;
    if (end !== "\r\n") continue;
    records.push(record);
    record = [];
  }
  if (record.length > 0) throw new Error("The last record has no end");
  return records;
}

/** A quoted or a plain cell, and what ends it. */
const CELLS = {
  ",": /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/,
  ";": /^(?:"((?:[^"]|"")*)"|([^";\r\n]*))(;|\r\n)/,
  "\t": /^(?:"((?:[^"]|"")*)"|([^"\t\r\n]*))(\t|\r\n)/,
};

/** Characters of a cell at most, so that reading a long text isn't quadratic. */
const LONGEST = 100_000;
