/** Languages. */
import { z } from "zod";
import {
  count,
  flag,
  integerParameter,
  languageCode,
  MAX_INT32,
  rawTextToTrim,
  success,
  text,
  timestamp,
} from "./atoms.ts";

const name = text({ min: 1, max: 200 });
/** A host name without port, in lower case; international names in their ASCII form. */
const customDomain = rawTextToTrim(253)
  .trim()
  .toLowerCase()
  .max(253)
  .regex(
    /^(?=.{4,})([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/,
    "must be a host name, such as books.example.org",
  );

export const direction = z.enum(["ltr", "rtl"]);

export const languageCreation = z
  .strictObject({
    code: languageCode,
    name,
    nativeName: name,
    customDomain: customDomain.nullish(),
    parentId: z.int().nullish(),
    legacyDownloadCount: count.max(MAX_INT32).optional(),
    isActive: flag.optional(),
    direction: direction.optional(),
  })
  .meta({
    id: "LanguageCreation",
    examples: [{ code: "ar", name: "Arabic", nativeName: "العربية", direction: "rtl" }],
  });

export const languageUpdate = languageCreation.partial().meta({
  id: "LanguageUpdate",
  examples: [{ customDomain: "books.example.org", legacyDownloadCount: 1200 }],
});

export type LanguageCreation = z.output<typeof languageCreation>;
export type LanguageUpdate = z.output<typeof languageUpdate>;

export const DELETION_MODES = ["preserve_analytics", "delete_all"] as const;
const deletionMode = z.enum(DELETION_MODES);
export type LanguageDeletionMode = z.infer<typeof deletionMode>;

export const languageDeletionQuery = z.strictObject({ mode: deletionMode.optional() });
export const languageDeletion = z
  .strictObject({ mode: deletionMode.optional() })
  .meta({ id: "LanguageDeletion", examples: [{ mode: "preserve_analytics" }] });

export const languageParams = z.object({ langId: integerParameter(1, MAX_INT32) });

export const language = z
  .object({
    id: z.int(),
    code: z.string(),
    name: z.string(),
    nativeName: z.string(),
    customDomain: z.string().nullable(),
    legacyDownloadCount: count,
    isActive: flag,
    createdAt: timestamp,
    direction,
    parentId: z.int().nullable(),
    updatedAt: timestamp,
  })
  .meta({
    id: "Language",
    examples: [
      {
        id: 3,
        code: "ar",
        name: "Arabic",
        nativeName: "العربية",
        customDomain: null,
        legacyDownloadCount: 0,
        isActive: 1,
        createdAt: "2026-03-01T12:00:00.000Z",
        direction: "rtl",
        parentId: null,
        updatedAt: "2026-03-01T12:00:00.000Z",
      },
    ],
  });
export type Language = z.infer<typeof language>;

export const languageList = z.object({ languages: z.array(language) });
export const languageUpdated = success.extend({ language });
export const languageUsage = z
  .object({ translations: count, files: count, publications: count, downloads: count })
  .meta({
    id: "LanguageUsage",
    examples: [{ translations: 12, files: 14, publications: 20, downloads: 431 }],
  });
