/** Keeps a spreadsheet from running what somebody else wrote: a cell that it would take for a formula becomes text. */

/**
 * What makes a formula of a cell: = + - @, as full-width characters too, and a tab or carriage return, which some take
 * for the cell's end. Spaces and what can't be seen before it are dropped on reading.
 */
const RUNS = /^[\p{Z}\p{C}]*[\t\r=+\-@＝＋－＠]/u;

/** The text as it is or, where it would run, behind an apostrophe, by which spreadsheets know text. */
export const guardedCell = (text: string): string => (RUNS.test(text) ? `'${text}` : text);
