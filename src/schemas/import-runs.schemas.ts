/** Imports that the service runs: what is sent for them, how far they are, and what has become of it. */
import { z } from "zod";
import { booleanField, count, optional, recordId, timestamp, uuid } from "./atoms.ts";
import { rule } from "./error-codes.ts";
import { fileType, sha256Example } from "./files.schemas.ts";
import { importCorrections } from "./import-corrections.schemas.ts";
import { importRules } from "./import-rules.schemas.ts";
import {
  importCatalogue,
  keptTexts,
  knownElsewhere,
  leftOutFile,
  plannedError,
  plannedFiles,
  plannedRemark,
  uncheckedLists,
} from "./imports.schemas.ts";
import { jobError } from "./jobs.schemas.ts";

export const IMPORT_STATES = ["collecting", "running", "done", "failed", "cancelled"] as const;

export const importParams = z.object({ importId: recordId.describe("Identifier of the import.") });

export const importCreation = z
  .strictObject({
    files: plannedFiles.describe("The files of the folder."),
    catalogue: optional(importCatalogue).describe("A file that describes the books."),
    corrections: optional(importCorrections).describe("What is decided otherwise than by the rules."),
    rules: optional(importRules).describe("What holds for all files, as in a plan."),
    archived: optional(booleanField).describe(
      "Whether new books are archived when they are made: readers don't get them until they are restored.",
    ),
  })
  .meta({
    id: "ImportCreation",
    description: "An import to prepare.",
    example: { files: [{ path: "es/the-deep-well.epub", sha256: sha256Example }], archived: true },
  });
export type ImportCreation = z.output<typeof importCreation>;

export const importCreationEnvelope = importCreation.extend(uncheckedLists);

const isObject = (given: unknown): boolean => typeof given === "object" && given !== null;
const MUST_BE_OBJECT = rule("invalid_value", "must be an object");

/** As the service has checked and written it: ten thousand files take a while to be checked again. */
export const storedRequest = z.custom<ImportCreation>(isObject, MUST_BE_OBJECT);

const resultFile = z.object({
  path: z.string().describe("Path, as in the request."),
  languageCode: z.string().describe("BCP 47 code of the language."),
  fileType: fileType.describe("Format of the file."),
  title: z.string().nullable().describe("Title in this language; null if none is known."),
  status: z
    .enum(["create", "replace", "differs", "unchanged", "known", "failed"])
    .describe("As in a plan, or `failed`: `failed` of the result has the reason."),
  knownAs: z.array(knownElsewhere).optional().describe("As in a plan."),
  remarks: z.array(plannedRemark).describe("What is worth knowing of the file."),
});

const resultBook = z.object({
  slug: z.string().describe("Slug of the book."),
  bookId: z.string().nullable().describe("Identifier of the book; null if it wasn't made."),
  titleEn: z.string().describe("English title of the book."),
  status: z
    .enum(["create", "update", "unchanged", "unsure", "failed"])
    .describe(
      "`create` for a book that the import has made, also in an earlier run; otherwise as in a plan.",
    ),
  files: z.array(resultFile).describe("The files of the book."),
  covers: z
    .array(
      z.object({
        path: z.string().describe("Path, as in the request, of the image or of the file that contains it."),
        languageCode: z.string().nullable().describe("BCP 47 code; null for the default cover."),
      }),
    )
    .describe("The images that were put as covers."),
  keptTexts,
  remarks: z.array(plannedError).describe("What is worth knowing of the book, such as that it is unsure."),
});

const failedPart = plannedError.extend({
  path: z.string().optional().describe("Path of the file, if it is about one."),
  slug: z.string().optional().describe("Slug of the book, if it is known."),
  bookId: z.string().optional().describe("Identifier of the book, if it exists."),
});

export const importResult = z
  .object({
    books: z.array(resultBook).describe("What became of each book."),
    leftOut: z.array(leftOutFile).describe("What was not imported by the rules or by corrections."),
    failed: z.array(failedPart).describe("What could not be imported, and why."),
  })
  .meta({
    id: "ImportResult",
    description: "What an import has done.",
    example: {
      books: [],
      leftOut: [{ path: "readme.txt", reason: "It is a text about the collection." }],
      failed: [],
    },
  });
export type ImportResult = z.infer<typeof importResult>;

/** As the service has written it: it can have megabytes. */
export const storedResult = z.custom<ImportResult>(isObject, MUST_BE_OBJECT);

/** Why something of a book isn't taken back. */
export const KEPT_CODES = ["changed_since", "content_gone", "not_recorded"] as const;
export type KeptCode = (typeof KEPT_CODES)[number];

export const importUndo = z
  .object({
    archived: count.describe("Number of new books that were archived."),
    inactive: count.describe("Number of files added to known books that became inactive."),
    restored: count.describe("Number of contents and texts that are again what they were before."),
    kept: z
      .array(
        z.object({
          bookId: z.string().describe("Identifier of the book."),
          slug: z.string().describe("Slug of the book."),
          code: z
            .enum(KEPT_CODES)
            .describe(
              "`changed_since` for what somebody has changed since the import, `content_gone` for former contents that are no longer kept, and `not_recorded` for former texts that are too long for the audit log. Later versions may add some: for an unknown code, show `reason`.",
            ),
          reason: z.string().describe("The same as a sentence."),
        }),
      )
      .describe("The books of which something stays as it is, and why."),
  })
  .meta({
    id: "ImportUndo",
    description: "What the undo of an import has done.",
    example: { archived: 3, inactive: 1, restored: 0, kept: [] },
  });
export type ImportUndo = z.infer<typeof importUndo>;

const listedExample = {
  id: "01a1fb60-3c5e-7d21-8a4b-5f6071829304",
  ownerId: "01a1fb60-1a34-772b-a309-dba157e20a81",
  state: "done" as const,
  jobId: "01a1fb60-4d6f-7c10-9b2a-6f7081929415",
  archived: true,
  filesCount: 120,
  progress: { files: 120, books: 86 },
  createdAt: "2026-03-01T12:00:00.000Z",
  startedAt: "2026-03-01T12:05:00.000Z",
  finishedAt: "2026-03-01T12:08:00.000Z",
  error: null,
  undo: null,
  undoDays: 30,
  undoableUntil: "2026-03-31T12:00:00.000Z",
};

export const listedImport = z
  .object({
    id: uuid.describe("Identifier of the import."),
    ownerId: uuid.describe("Identifier of the user who has made it, or to whom the API key belongs."),
    state: z
      .enum(IMPORT_STATES)
      .describe(
        "`collecting` until it is started; `done` at its end, also if some of it has failed; `failed` if it could not go on: `error` has the reason.",
      ),
    jobId: uuid
      .nullable()
      .describe("Job that runs it or its undo, or ran them last; kept for a day. Null before its start."),
    archived: z.boolean().describe("Whether new books are archived when they are made."),
    filesCount: count.describe("Number of files in the request."),
    progress: z
      .object({
        files: count.describe("Number of files that are done."),
        books: count.describe("Number of books that are done."),
      })
      .describe("How far it is, at most about a second ago."),
    createdAt: timestamp.describe("When it was made."),
    startedAt: timestamp.nullable().describe("When it was started last; null before."),
    finishedAt: timestamp.nullable().describe("When it ended; null before."),
    error: jobError.nullable().describe("Why it has failed; null unless `state` is `failed`."),
    undo: importUndo
      .nullable()
      .describe(
        "What its undo has done, so far while `state` is `running`; null if it wasn't undone. Then `state` is again what it was before.",
      ),
    undoDays: count.describe(
      "For how many days after its start an import can be undone, at most 30 days after it was made: 30, or `REPLACED_FILES_DAYS` if that is less.",
    ),
    undoableUntil: timestamp.nullable().describe("Until when it can be undone; null before its start."),
  })
  .meta({ id: "ListedImport", description: "An import without its result.", example: listedExample });
export type ListedImport = z.infer<typeof listedImport>;

export const importRun = listedImport
  .extend({
    missing: z
      .array(z.string())
      .describe(
        "SHA-256 of the files whose bytes the service needs: send them to `POST /api/admin/files/examine?importId=…`. Empty while it is running and at its end.",
      ),
    result: importResult.nullable().describe("What it has done; null before its end."),
  })
  .meta({
    id: "Import",
    description: "An import of a folder, which the service runs.",
    example: { ...listedExample, missing: [], result: null },
  });
export type ImportRun = z.infer<typeof importRun>;

export const importList = z.object({
  imports: z.array(listedImport).describe("The imports of 30 days, newest first."),
});
export type ImportList = z.infer<typeof importList>;
