/** API keys of external clients. */
import { z } from "zod";
import { emailOut, instant, optional, recordId, text, timestamp, uuid } from "./atoms.ts";
import { API_KEY_SCOPES } from "./permissions.ts";

const scopes = z.array(z.enum(API_KEY_SCOPES)).min(1).max(API_KEY_SCOPES.length);

export const apiKeyCreation = z
  .strictObject({
    name: text({ min: 1, max: 200 }).describe("What the key is for, such as the name of the program."),
    expiresAt: optional(instant).describe(
      "When the key stops working; it never expires when left out or null.",
    ),
    scopes: optional(scopes).meta({
      description:
        "What the key may do: read the catalogue, change it, or send in the forms of readers. Default: `view_books` and `edit_books`.",
    }),
  })
  .meta({
    id: "ApiKeyCreation",
    description: "An API key to create.",
    examples: [{ name: "Catalogue sync", expiresAt: "2027-01-01T00:00:00.000Z", scopes: ["view_books"] }],
  });
export type ApiKeyCreation = z.output<typeof apiKeyCreation>;

export const apiKeyParams = z.object({ keyId: recordId.describe("Identifier of the API key.") });

const example = {
  id: "01a1fb60-1a34-772b-a309-dba157e20a84",
  name: "Catalogue sync",
  keyPrefix: "bds_4fTq9zXk",
  expiresAt: "2027-01-01T00:00:00.000Z",
  createdAt: "2026-03-01T12:00:00.000Z",
  scopes: ["view_books" as const],
};

export const apiKey = z
  .object({
    id: uuid.describe("Identifier of the API key."),
    name: z.string().describe("What the key is for."),
    keyPrefix: z.string().describe("First 12 characters of the key, to recognise it by."),
    expiresAt: timestamp.nullable().describe("When the key stops working; null when it never expires."),
    createdAt: timestamp.describe("When the key was created."),
    scopes: z.array(z.enum(API_KEY_SCOPES)).describe("What the key may do."),
    lastUsedAt: timestamp
      .nullable()
      .describe("When the key was last used, to the minute; null when it never was."),
    createdBy: emailOut.describe(
      "E-mail address of the user who created the key and whose permissions bound it.",
    ),
  })
  .meta({
    id: "ApiKey",
    description: "An API key, without the secret part.",
    examples: [{ ...example, lastUsedAt: null, createdBy: "anna@example.org" }],
  });

export type ApiKey = z.infer<typeof apiKey>;

export const apiKeyCreated = z
  .object({
    id: uuid.describe("Identifier of the API key."),
    name: z.string().describe("What the key is for."),
    key: z.string().describe("The key itself. Store it now: it can't be retrieved again."),
    keyPrefix: z.string().describe("First 12 characters of the key, to recognise it by."),
    expiresAt: timestamp.nullable().describe("When the key stops working; null when it never expires."),
    createdAt: timestamp.describe("When the key was created."),
    scopes: z.array(z.enum(API_KEY_SCOPES)).describe("What the key may do."),
  })
  .meta({
    id: "ApiKeyCreated",
    description: "A new API key with its plaintext, which is shown only this once.",
    examples: [{ ...example, key: "bds_4fTq9zXkB7nLw2RsV8cYdHjM3gPaE6uK1tZx5QiN0oCm4WbG" }],
  });

export const apiKeyList = z.object({
  apiKeys: z.array(apiKey).describe("Keys that aren't revoked, including expired ones."),
});
