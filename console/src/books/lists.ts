/** Lists that are typed into one field. */

/** The parts between commas, also Arabic ones. */
export const readList = (text: string): string[] =>
  text
    .split(/[,،]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
