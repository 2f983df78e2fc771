/** What the element says, in a reader's language. */
import { chooseLanguage } from "../src/lib/choose-language.ts";
import type { Sentence } from "../src/schemas/widget.schemas.ts";
import { Refusal, type Service } from "./service.ts";

/** By address: other elements of the page, and another look at a language, need no request. */
const loaded = new Map<string, Texts>();

/** @param wanted language codes by preference. Without a response, English. */
export async function loadWords(wanted: readonly string[], service: Service): Promise<Words> {
  const code = chooseLanguage(wanted, Object.keys(DIRECTIONS)) ?? "en";
  if (code === "en") return new Words(code, ENGLISH);
  const path = `/api/widget/texts/${code}.json`;
  try {
    const texts = loaded.get(service.address + path) ?? (await service.call<Texts>(path));
    loaded.set(service.address + path, texts);
    return new Words(code, texts);
  } catch {
    return new Words("en", ENGLISH);
  }
}

export class Words {
  readonly code: string;
  readonly direction: "ltr" | "rtl";
  readonly #texts: Texts;
  /** With the region of the browser, for numbers and times. */
  readonly #locale: string;

  constructor(code: string, texts: Texts) {
    this.code = code;
    this.direction = DIRECTIONS[code] ?? "ltr";
    this.#texts = texts;
    this.#locale = navigator.languages.find((each) => each.split("-")[0] === code) ?? code;
  }

  /** Marks isolate the value: one in another direction would reorder the sentence around it. */
  say(key: Sentence, value = ""): string {
    return this.#texts[key].replace("{}", () => isolate(value));
  }

  count(number: number): string {
    const { count } = this.#texts;
    const text = count[new Intl.PluralRules(this.#locale).select(number)] ?? count.other;
    return text.replace("{}", () => isolate(number.toLocaleString(this.#locale)));
  }

  /** Empty for 0: the size of a linked file can be unknown. */
  size(bytes: number): string {
    const [unit, divisor] = bytes < 1e6 ? ["kilobyte", 1e3] : ["megabyte", 1e6];
    const format = { style: "unit", unit, maximumFractionDigits: bytes < 1e7 ? 1 : 0 } as const;
    return bytes === 0 ? "" : isolate(Math.max(bytes / divisor, 0.1).toLocaleString(this.#locale, format));
  }

  time(timestamp: string): string {
    return new Date(timestamp).toLocaleTimeString(this.#locale, { timeStyle: "short" });
  }

  reason(error: unknown): string {
    if (!(error instanceof Refusal)) return this.say("offline");
    if (error.status === 404) return this.say("unavailable");
    if (error.status === 410) return this.say("expired");
    if (error.status === 400) return this.say("check");
    if (error.status === 429 || error.status === 503) return this.say("busy");
    return this.say("failed", error.requestId);
  }
}

export const isolate = (text: string): string => `\u2068${text}\u2069`;
