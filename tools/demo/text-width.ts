// How many terminal cells a text takes, and layout that counts in cells rather than in characters.

const TAKES_NO_CELL = /[\p{Mn}\p{Me}\p{Cf}\p{Cc}]/u;
/** East Asian wide and fullwidth characters and emoji (Unicode Standard Annex 11), by block. */
const TAKES_TWO_CELLS =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;

/** Cells that a terminal gives to the text, which must not hold escape sequences. */
function measureWidth(text: string): number {
  let cells = 0;
  for (const character of text) {
    if (TAKES_NO_CELL.test(character)) continue;
    cells += TAKES_TWO_CELLS.test(character) ? 2 : 1;
  }
  return cells;
}

export function padEnd(text: string, cells: number): string {
  return text + " ".repeat(Math.max(0, cells - measureWidth(text)));
}

export function padStart(text: string, cells: number): string {
  return " ".repeat(Math.max(0, cells - measureWidth(text))) + text;
}

/** Cuts at the end, with an ellipsis, what is wider than `cells`; never between a letter and its marks. */
export function clip(text: string, cells: number): string {
  if (measureWidth(text) <= cells) return text;
  let kept = "";
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)) {
    if (measureWidth(kept + segment) > cells - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Joins the items into lines of at most `cells`; an item is never broken. */
export function wrapItems(items: readonly string[], separator: string, cells: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const item of items) {
    const longer = line === "" ? item : line + separator + item;
    if (line !== "" && measureWidth(longer) > cells) {
      lines.push(line);
      line = item;
    } else {
      line = longer;
    }
  }
  return line === "" ? lines : [...lines, line];
}

export type Column = "left" | "right";

/** Rows as lines with aligned columns, two spaces between; the last column isn't padded. */
export function layOutTable(rows: readonly (readonly string[])[], columns: readonly Column[]): string[] {
  const widths = columns.map((_, index) => Math.max(0, ...rows.map((row) => measureWidth(row[index] ?? ""))));
  return rows.map((row) =>
    columns
      .map((column, index) => {
        const cell = row[index] ?? "";
        if (column === "right") return padStart(cell, widths[index] ?? 0);
        return index === columns.length - 1 ? cell : padEnd(cell, widths[index] ?? 0);
      })
      .join("  ")
      .trimEnd(),
  );
}
