/** API keys of external clients. */
import { z } from "zod";
import { emailOut, instant, optional, recordId, text, timestamp, uuid } from "./atoms.ts";
import { API_KEY_SCOPES } from "./permissions.ts";

const scope = z
  .enum(API_KEY_SCOPES)
  .meta({ id: "ApiKeyScope", description: "What an API key permits.", example: "view_books" });
const scopes = z.array(scope).min(1).max(API_KEY_SCOPES.length);

export const apiKeyCreation = z
  .strictObject({
    name: text({ min: 1, max: 200 }).describe(
      "Purpose of the key, such as the name of the program that uses it.",
    ),
    expiresAt: optional(instant).describe(
      "Time at which the key expires. If omitted or null, the key never expires.",
    ),
    scopes: optional(scopes).describe(
      "Permissions of the key: `view_books` reads the catalogue, `edit_books` changes it, and `submit_downloads` submits download forms for readers. The default is `view_books` and `edit_books`.",
    ),
  })
  .meta({
    id: "ApiKeyCreation",
    description: "An API key to create.",
    example: { name: "Catalogue sync", expiresAt: "2027-01-01T00:00:00.000Z", scopes: ["view_books"] },
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
    name: z.string().describe("Purpose of the key, as given at creation."),
    keyPrefix: z.string().describe("First 12 characters of the key, for identification."),
    expiresAt: timestamp.nullable().describe("Time at which the key expires; null if it never expires."),
    createdAt: timestamp.describe("When the key was created."),
    scopes: z.array(scope).describe("Permissions of the key."),
    lastUsedAt: timestamp
      .nullable()
      .describe("Time of the last use, to the minute; null if the key was never used."),
    createdBy: emailOut.describe(
      "E-mail address of the user who created the key. The key never has more permissions than this user.",
    ),
  })
  .meta({
    id: "ApiKey",
    description: "An API key, without the secret part.",
    example: { ...example, lastUsedAt: null, createdBy: "anna@example.org" },
  });

export type ApiKey = z.infer<typeof apiKey>;

export const apiKeyCreated = apiKey
  .omit({ lastUsedAt: true, createdBy: true })
  .extend({
    key: z.string().describe("The plaintext key. Store it now: it can't be retrieved again."),
  })
  .meta({
    id: "ApiKeyCreated",
    description: "A new API key with its plaintext, which is returned only once.",
    example: { ...example, key: "bds_4fTq9zXkB7nLw2RsV8cYdHjM3gPaE6uK1tZx5QiN0oCm4WbG" },
  });

export const apiKeyList = z.object({
  apiKeys: z.array(apiKey).describe("Keys that aren't revoked, including expired ones."),
});
