// Walks the main job of the service, part by part, and prints each step with its result and time.
import type { Loaded } from "./load.ts";
import { type Report, StepFailed } from "./print.ts";
import { browse } from "./walk/browse.ts";
import { showEvents } from "./walk/events.ts";
import { downloadOneBook } from "./walk/one-book.ts";
import { tryWhatIsRejected } from "./walk/refusals.ts";
import { downloadLanguages } from "./walk/whole-language.ts";

const PARTS = [browse, downloadOneBook, downloadLanguages, tryWhatIsRejected, showEvents];

/** A failed step ends its own part; the other parts go on, so that one run shows all that is wrong. */
export async function walk(report: Report, loaded: Loaded): Promise<void> {
  for (const part of PARTS) {
    try {
      await part(report, loaded);
    } catch (error) {
      if (!(error instanceof StepFailed)) throw error;
    }
  }
}
