/** The options of an import that are rules for all of its files. */
import { z } from "zod";
import { booleanField, languageCode, optional } from "./atoms.ts";

/** How files of a folder become books. */
export const GROUPINGS = ["auto", "folder", "name"] as const;
export type Grouping = (typeof GROUPINGS)[number];

export const importRules = z
  .strictObject({
    grouping: optional(z.enum(GROUPINGS)).describe(
      "How files without a catalogue become books: by their folders, by their names, or as it fits (`auto`, the default).",
    ),
    languageCode: optional(languageCode).describe(
      "BCP 47 code of the language of files of which neither path nor content says one.",
    ),
    overwrite: optional(booleanField).describe(
      "Whether texts, files and covers that differ replace those of known books; otherwise only what is empty is filled.",
    ),
    sameBook: optional(booleanField).describe("Whether each `unsure` book is the known one."),
    keepKnown: optional(booleanField).describe(
      "Whether files are imported that the service, or another file of the request, has already.",
    ),
  })
  .meta({
    id: "ImportRules",
    description: "What holds for all files of an import.",
    example: { languageCode: "es", overwrite: true },
  });
export type ImportRules = z.output<typeof importRules>;
