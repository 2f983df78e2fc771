/** Long lists in pieces, such as a statement takes. */

/** The items in their order, at most `size` in each piece. */
export const batchesOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
