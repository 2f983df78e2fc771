/** The addresses in letters. */
import { z } from "zod";
import { booleanField, count, optional, rawText, timestamp } from "./atoms.ts";

export const mailKeyParams = z.object({
  key: rawText({ max: 100 }).min(1).describe("Key of the reader, as letters have it."),
});

export const stopRequest = z
  .object({
    undo: optional(booleanField).describe(
      "Allows letters again. A consent that was withdrawn stays withdrawn.",
    ),
  })
  .meta({
    id: "StopRequest",
    description: "Whether letters stop or are allowed again. Other fields are ignored.",
    example: { undo: true },
  });

/** The same as an HTML form. */
export const stopForm = z.object({
  undo: z
    .string()
    .transform((given) => given === "true")
    .optional()
    .describe("`true` allows letters again."),
});

export const confirmed = z
  .object({
    confirmed: z.literal(true).describe("The address is confirmed."),
    downloadUrl: z
      .string()
      .describe("Path of the requested download on this server. Append it to the server's address."),
    expiresAt: timestamp.describe("Time at which that link expires: in 24 hours."),
  })
  .meta({
    id: "ConfirmedAddress",
    description: "A link to what the reader has requested, after the address was confirmed.",
    example: {
      confirmed: true,
      downloadUrl: "/api/download/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2lnbmF0dXJl",
      expiresAt: "2026-03-02T12:00:00.000Z",
    },
  });
export type Confirmed = z.infer<typeof confirmed>;

export const mailStatus = z
  .object({
    configured: z.boolean().describe("Whether letters are sent: `SMTP_URL` is set."),
    waiting: count.describe("Letters that wait, for an attempt or for a limit."),
    sentLast24h: count.describe("Letters that the mail server has taken in the last 24 hours."),
    failedLast24h: count.describe("Letters that have failed for good in the last 24 hours."),
    lastError: z
      .string()
      .nullable()
      .describe("What went wrong at the latest attempt that failed, without addresses; null if none has."),
    held: count.describe(
      "Letters that are held since a restore, a move or a new `AUTH_SECRET`: `bookdist outbox` decides on them.",
    ),
  })
  .meta({
    id: "MailStatus",
    description: "What becomes of letters.",
    example: {
      configured: true,
      waiting: 0,
      sentLast24h: 42,
      failedLast24h: 1,
      lastError: "550 5.1.1 No such user (EENVELOPE)",
      held: 0,
    },
  });
export type MailStatus = z.infer<typeof mailStatus>;
