/** QR codes: the squares of an address, and their drawing as SVG. */
import encodeQR from "qr";

/** Squares in rows, true for dark, with the margin that readers of codes need. */
type Squares = readonly (readonly boolean[])[];

/** White squares on each side (ISO/IEC 18004). */
const MARGIN = 4;

/** Of bytes at the level "medium", with which a seventh of a printed code may be lost. */
export const MAX_QR_BYTES = 2331;

/** @param address of at most `MAX_QR_BYTES` bytes */
export const encodeSquares = (address: string): Squares =>
  encodeQR(address, "raw", { ecc: "medium", encoding: "byte", border: MARGIN });

/** Numbers only: nothing of the address is in it as text. */
export function drawSvg(squares: Squares): string {
  const side = squares.length;
  const runs = squares.flatMap((row, y) =>
    listRuns(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${runs.join("")}"/></svg>\n`;
}

/** Where dark squares begin in a row, and how many follow each other. */
function listRuns(row: readonly boolean[]): [x: number, length: number][] {
  const runs: [number, number][] = [];
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1);
    if (isDark && last && last[0] + last[1] === x) last[1] += 1;
    else if (isDark) runs.push([x, 1]);
  }
  return runs;
}
