/** Random numbers that are the same in each run. */

/** A whole number from 0 up to `below`. */
export type RandomInt = (below: number) => number;

/** Lehmer's generator. @param seed above 0, below 2 ** 31 - 1 */
export function createSeededRandom(seed: number): RandomInt {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}
