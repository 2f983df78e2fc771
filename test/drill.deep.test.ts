/** The crash drill, as many cycles of it as a run of the tests has time for. */
import { expect, it } from "vitest";
import { isLate, runDrill } from "../tools/drill/kills.ts";

/** More of them: `npm run drill`. */
const CYCLES = 8;

it("loses nothing that was acknowledged in some kills under load", async () => {
  const seed = 1 + (Date.now() % 2_147_483_000);
  const { cycles } = await runDrill({ cycles: CYCLES, seed });
  const losses = cycles.flatMap((cycle) => cycle.losses);
  expect(losses, `with npm run drill -- --seed ${seed}`).toEqual([]);
  expect(cycles).toHaveLength(CYCLES);
  expect(cycles.filter(isLate)).toEqual([]);
  // Guards against an empty run.
  expect(cycles.reduce((sum, { acknowledged }) => sum + acknowledged, 0)).toBeGreaterThan(CYCLES);
  expect(cycles.at(-1)?.compared).toBeGreaterThan(CYCLES);
});
