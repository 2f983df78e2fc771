// What the demo reads of the service's answers; further fields are left aside.
import { z } from "zod";

export const health = z.object({ status: z.literal("ok"), timestamp: z.iso.datetime() });

export const session = z.object({
  user: z.object({ email: z.string(), role: z.string(), permissions: z.array(z.string()) }),
  expiresAt: z.iso.datetime(),
});

export const language = z.object({ id: z.int(), code: z.string() });
export const book = z.object({ id: z.string(), slug: z.string() });
export const uploadedFile = z.object({
  id: z.string(),
  fileType: z.string(),
  fileName: z.string(),
  fileSizeBytes: z.int(),
  sha256: z.string().nullable(),
});
export const channel = z.object({ id: z.string() });
export const bookActions = z.object({ results: z.array(z.object({ status: z.string() })) });
export const apiKey = z.object({ id: z.string(), key: z.string(), keyPrefix: z.string() });

export const languages = z.object({
  languages: z.array(z.object({ code: z.string(), nativeName: z.string(), booksCount: z.int() })),
});

const publicBook = z.object({
  slug: z.string(),
  title: z.string(),
  languages: z.array(z.string()),
  files: z.array(z.object({ languageCode: z.string(), fileType: z.string(), fileSizeBytes: z.int() })),
});
export const publicBooks = z.object({
  books: z.array(publicBook),
  pagination: z.object({ total: z.int() }),
});
export const publicBookDetails = publicBook.extend({
  titleEn: z.string(),
  translations: z.array(z.object({ languageCode: z.string(), title: z.string() })),
});

export const downloadLink = z.object({
  downloadUrl: z.string().includes("/api/download/"),
  expiresAt: z.iso.datetime(),
  fileName: z.string(),
  fileSizeBytes: z.int(),
  fileType: z.string(),
});
export const languageDownloadLink = z.object({
  downloadUrl: z.string().includes("/api/download/"),
  expiresAt: z.iso.datetime(),
  booksCount: z.int(),
  filesCount: z.int(),
  totalBytes: z.int(),
});

export const problem = z.object({ title: z.string(), status: z.int(), code: z.string() });

export const downloadLog = z.object({
  downloads: z.array(
    z.object({
      id: z.string(),
      downloadedAt: z.iso.datetime(),
      redeemedAt: z.iso.datetime().nullable(),
      isDownloadAll: z.int(),
      booksCount: z.int(),
      bookTitle: z.string(),
      fileType: z.string(),
      languageCode: z.string(),
      browserName: z.string(),
      osName: z.string(),
      contactEmail: z.string(),
    }),
  ),
  pagination: z.object({ total: z.int() }),
});

export const downloadsByLanguage = z.object({
  data: z.array(
    z.object({
      languageCode: z.string(),
      totalDownloads: z.int(),
      totalBooks: z.int(),
      uniqueContacts: z.int(),
      redeemed: z.int(),
    }),
  ),
});
