/** The progress that commands draw on a terminal. */
import { expect, it, onTestFinished } from "vitest";
import { createProgress } from "../src/cli/progress.ts";

/** What is on the terminal after a carriage return with "erase to the end of the line". */
const CLEARED = "\r\u001b[K";

function drawOn({ isTTY }: { isTTY: boolean }) {
  const written: string[] = [];
  const progress = createProgress({ isTTY, write: (text: string) => written.push(text) > 0 });
  onTestFinished(() => progress.end());
  return { progress, written };
}

it("leaves an empty line when an operation ends, and before the next one begins", () => {
  const { progress, written } = drawOn({ isTTY: true });
  progress.begin("Exporting books", 4, () => 1);
  const half = `${"█".repeat(8)}${"░".repeat(22)}`;
  expect(written).toEqual([`${CLEARED}Exporting books ${half} 1 of 4`]);
  progress.begin("Writing", 0, () => 0);
  expect(written.slice(1)).toEqual([CLEARED, `${CLEARED}Writing …`]);
  progress.end();
  expect(written.slice(3)).toEqual([CLEARED]);
  progress.end();
  progress[Symbol.dispose]();
  expect(written).toHaveLength(4);
});

it("writes nothing where there is no terminal", () => {
  const { progress, written } = drawOn({ isTTY: false });
  progress.begin("Exporting books", 4, () => 1);
  progress.end();
  expect(written).toEqual([]);
});
