/** What the command lines of the tools have in common. */

/**
 * The number that an option gives.
 * @throws RangeError with one clear line for anything but a whole number in the range
 */
export function wholeNumber(option: string, text: string, least: number, most: number): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new RangeError(`${option} must be a whole number from ${least} to ${most}, not "${text}"`);
}
