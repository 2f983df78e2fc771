/** The languages of the console: a new one has its line here, and a folder of texts beside that of English. */

/** `isProofread`: by somebody whose first language it is. */
export const LANGUAGES = {
  en: { name: "English", direction: "ltr", isProofread: true },
  fr: { name: "Français", direction: "ltr", isProofread: false },
  es: { name: "Español", direction: "ltr", isProofread: false },
  pt: { name: "Português", direction: "ltr", isProofread: false },
  ar: { name: "العربية", direction: "rtl", isProofread: false },
} as const;

export type Language = keyof typeof LANGUAGES;

export const isLanguage = (code: string | null | undefined): code is Language =>
  code !== null && code !== undefined && Object.hasOwn(LANGUAGES, code);
