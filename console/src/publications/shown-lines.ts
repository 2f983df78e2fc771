/** Which elements show the rows or columns that are in sight. Nothing here knows the page. */

/** A row or column, and the key of the elements that show it. */
export interface ShownLine {
  index: number;
  slot: number;
}

/**
 * A line that comes into sight takes the place and the elements of one that left: to change them takes a part of the
 * time that new ones take. One that stays keeps its own.
 * @param isAtRest then they stand in the order in which they are read aloud
 * @returns `former` if nothing changes
 */
export function showLines(
  former: readonly ShownLine[],
  indexes: readonly number[],
  isAtRest: boolean,
): readonly ShownLine[] {
  const staying = new Set(indexes);
  const known = new Set(former.map(({ index }) => index));
  const coming = indexes.filter((index) => !known.has(index));
  const isSorted = former.every(({ index }, place) => index > (former[place - 1]?.index ?? -1));
  if (coming.length === 0 && known.size === staying.size && (isSorted || !isAtRest)) return former;
  const lines = former.flatMap((line) => {
    if (staying.has(line.index)) return line;
    const index = coming.shift();
    return index === undefined ? [] : { index, slot: line.slot };
  });
  const free = Math.max(-1, ...former.map(({ slot }) => slot)) + 1;
  lines.push(...coming.map((index, place) => ({ index, slot: free + place })));
  return isAtRest ? lines.sort((one, other) => one.index - other.index) : lines;
}
