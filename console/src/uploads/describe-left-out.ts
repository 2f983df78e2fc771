/** Why the plan leaves files out, in the language of the console. */
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";

type Entry = Pick<Schemas["LeftOutFile"], "code" | "reason" | "by">;

/** A function that says why something is left out; in English, and of codes without a text, as the service does. */
export function useDescribeLeftOut(): (entry: Entry) => string {
  const { findText } = useTexts();
  return ({ code, reason, by = "" }) => findText(`leftOut.${code}`, { by }) ?? reason;
}
