/** Why the plan leaves files and books out, in the language of the console. */
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { isolate } from "../messages/isolate.ts";
import { useFindReason } from "../ui/problems.tsx";

type Entry = Pick<Schemas["LeftOutFile"], "code" | "reason" | "by">;
type BookError = Schemas["PlannedError"];

/** A function that says why something is left out; in English, and of codes without a text, as the service does. */
export function useDescribeLeftOut(): (entry: Entry) => string {
  const { findText } = useTexts();
  return ({ code, reason, by = "" }) => findText(`leftOut.${code}`, { by }) ?? reason;
}

/** A function that says what isn't read in a catalogue; in English, and of codes without a text, as the service does. */
export function useDescribeNotice(): (notice: Schemas["ImportNotice"]) => string {
  const { t, findText, formatList, formatNumber } = useTexts("uploads");
  return ({ code, message, names, line, column = "" }) => {
    const sentence = findText(`importNotices.${code}`, { names: formatList(names.map(isolate)) });
    if (sentence === undefined || line === undefined) return sentence ?? message;
    return `${t("uploads.cell", { line: formatNumber(line), column })}: ${sentence}`;
  };
}

/** What is wrong with a book, in the language of the console. */
interface SaidError {
  /** A cell, or what it is about; empty if only the book is known, or if the sentence says it. */
  place: string;
  sentence: string;
}

/** A function that says what is wrong with a book or a cell; in English, and of codes without a text, as the service does. */
export function useDescribeBookError(): (error: BookError) => SaidError {
  const { t, findText, formatNumber } = useTexts("uploads");
  const findReason = useFindReason();
  const nameCell = (line: number, column: string) => t("uploads.cell", { line: formatNumber(line), column });
  return ({ code, message, line, column = "", value, path }) => {
    const sentence = findText(`importErrors.${code}`) ?? findReason({ code, message: withoutPlace(message) });
    if (sentence === undefined) return { place: line === undefined ? (path ?? "") : "", sentence: message };
    const said = line === undefined ? path : value;
    const parts = [line === undefined ? undefined : nameCell(line, column), said && isolate(said)];
    return { place: parts.filter(Boolean).join(": "), sentence };
  };
}

/** Sentences of the service begin with the place. As those of other operations: `is required`. */
function withoutPlace(message: string): string {
  const sentence = message.slice(message.lastIndexOf(": ")).replace(/^: /, "");
  return sentence.replace(/^(?:Is required|Must not be empty)\.$/, (text) => text.toLowerCase().slice(0, -1));
}
