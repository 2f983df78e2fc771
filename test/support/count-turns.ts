/** How often other work runs meanwhile. */
export async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  await work().finally(() => clearImmediate(next));
  return turns;
}
