/** Copies a text, and says whether that has succeeded. */
import { useState } from "react";

export function useCopy(text: string) {
  const [outcome, setOutcome] = useState<"copied" | "notCopied">();
  const copy = async () => {
    try {
      // Without HTTPS, browsers offer no clipboard.
      await navigator.clipboard.writeText(text);
      setOutcome("copied");
    } catch {
      setOutcome("notCopied");
    }
  };
  return { copy, outcome };
}
