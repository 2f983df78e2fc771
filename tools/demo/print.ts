// What the demo shows in the terminal: headings, and one line per step with its result and time.
import { performance } from "node:perf_hooks";
import { styleText } from "node:util";
import { clip, padEnd, padStart, wrapItems } from "./text-width.ts";

/** What a step found out: one line, further lines below it, and a value for the steps that follow. */
export type Outcome<Value> = { result: string; details?: readonly string[]; value: Value };

/** A step went wrong and has been reported; what depends on it can't go on. */
export class StepFailed extends Error {
  constructor(title: string, options: ErrorOptions) {
    super(`${title}: failed`, options);
    this.name = "StepFailed";
  }
}

const MARK = 4;
const TITLE = 32;
const TIME = 9;
/** Cells left of the details, so that they stand below the step's title. */
export const DETAIL_INDENT = MARK;

export class Report {
  readonly width: number;
  readonly #write: (text: string) => void;
  readonly #began = performance.now();
  #muted = false;
  #passed = 0;
  #failed = 0;

  /** `width` in cells; colours follow NO_COLOR and whether the standard output is a terminal. */
  constructor(write: (text: string) => void, width: number) {
    this.#write = write;
    this.width = Math.max(72, Math.min(width, 110));
  }

  get failed(): number {
    return this.#failed;
  }

  /** From here on nothing is printed: the demo is being stopped, and what fails now fails for that reason. */
  mute(): void {
    this.#muted = true;
  }

  line(text = ""): void {
    if (!this.#muted) this.#write(`${text}\n`);
  }

  heading(text: string): void {
    this.line();
    this.line(` ${styleText("bold", text)}`);
  }

  /**
   * Runs one step and prints how it went.
   * @throws StepFailed when the step throws
   */
  async step<Value>(title: string, work: () => Promise<Outcome<Value>>): Promise<Value> {
    const began = performance.now();
    try {
      const { result, details = [], value } = await work();
      this.#passed += 1;
      this.#formatStep(styleText("green", "✓"), title, result, performance.now() - began);
      for (const detail of details) this.line(" ".repeat(DETAIL_INDENT) + styleText("dim", detail));
      return value;
    } catch (error) {
      this.#failed += 1;
      this.#formatStep(styleText("red", "✗"), title, "failed", performance.now() - began);
      for (const reason of listReasons(error))
        this.line(" ".repeat(DETAIL_INDENT) + styleText("red", reason));
      throw new StepFailed(title, { cause: error });
    }
  }

  summary(): void {
    const count = this.#passed + this.#failed;
    const steps = formatCount(count, "step");
    const time = formatDuration(performance.now() - this.#began);
    this.line();
    if (this.#failed === 0) this.line(` ${styleText(["green", "bold"], "All passed")}: ${steps} in ${time}`);
    else this.line(` ${styleText(["red", "bold"], `${this.#failed} of ${steps} failed`)}, in ${time}`);
  }

  #formatStep(mark: string, title: string, result: string, milliseconds: number): void {
    const room = this.width - MARK - TITLE - TIME - 3;
    const time = styleText("dim", padStart(formatDuration(milliseconds), TIME));
    // What doesn't fit goes on below; nothing of a result is cut.
    const [first = "", ...further] = wrapItems(result.split(" "), " ", room);
    const cells = [padEnd(clip(title, TITLE), TITLE), padEnd(first, room)];
    this.line(`  ${mark} ${cells.join("  ")} ${time}`);
    for (const line of further) this.line(" ".repeat(MARK + TITLE + 2) + line);
  }
}

/** Milliseconds with one decimal below 100, whole above. */
function formatDuration(milliseconds: number): string {
  const digits = milliseconds < 100 ? 1 : 0;
  return `${milliseconds.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })} ms`;
}

/** A number with its noun: 1 book, 2 books. */
export function formatCount(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${count === 1 ? noun : `${noun}s`}`;
}

export function formatByteCount(bytes: number): string {
  return `${bytes.toLocaleString("en")} B`;
}

/** The message of an error and of what caused it, line by line; fetch hides the reason in the cause. */
export function listReasons(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  const own = error.message.split("\n");
  return error.cause === undefined ? own : [...own, ...listReasons(error.cause)];
}
