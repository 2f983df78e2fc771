/** The texts of readers' pages, and the choice of their language. */
import { directionOf } from "../../lib/bcp47.ts";
import { ar } from "./ar.ts";
import { bo } from "./bo.ts";
import { de } from "./de.ts";
import { en, type PageTexts } from "./en.ts";
import { es } from "./es.ts";
import { fa } from "./fa.ts";
import { fr } from "./fr.ts";
import { hi } from "./hi.ts";
import { id } from "./id.ts";
import { ja } from "./ja.ts";
import { pt } from "./pt.ts";
import { ru } from "./ru.ts";
import { sw } from "./sw.ts";
import { tr } from "./tr.ts";
import { zh } from "./zh.ts";

export const TEXTS: Readonly<Record<string, PageTexts>> = {
  ar,
  bo,
  de,
  en,
  es,
  fa,
  fr,
  hi,
  id,
  ja,
  pt,
  ru,
  sw,
  tr,
  zh,
};

export interface PageLanguage {
  /** For the `lang` attribute. */
  code: string;
  direction: "ltr" | "rtl";
  texts: PageTexts;
}

/** @param wanted language codes by preference; `es-MX` falls back to `es` */
export function pageLanguageOf(wanted: readonly string[]): PageLanguage {
  const [code = "en"] = wanted.map(primaryLanguage).filter((primary) => Object.hasOwn(TEXTS, primary));
  return { code, direction: directionOf(code), texts: TEXTS[code] ?? en };
}

const primaryLanguage = (code: string): string => code.split("-", 1)[0]?.toLowerCase() ?? "";
