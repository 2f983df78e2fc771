// What the keeper reads of the answers.
import { z } from "zod";

const replaced = z.array(z.object({ sha256: z.string() }));

export const lists = {
  books: z.object({
    books: z.array(z.object({ id: z.string(), slug: z.string(), isActive: z.int() })),
  }),
  detailsOf: (bookId: string) =>
    z
      .object({
        translations: z.array(z.object({ languageId: z.int() })),
        files: z.array(
          z.object({
            id: z.string(),
            languageCode: z.string(),
            fileType: z.string(),
            fileName: z.string(),
            sourceType: z.string(),
            replaced,
          }),
        ),
      })
      .transform((details) => ({ ...details, bookId })),
  covers: z.object({
    covers: z.array(z.object({ bookId: z.string(), languageCode: z.string(), replaced })),
  }),
  languages: z.object({
    languages: z.array(
      z.object({ id: z.int(), code: z.string(), isActive: z.int(), parentId: z.int().nullable() }),
    ),
  }),
  channels: z.object({
    channels: z.array(z.object({ id: z.string(), slug: z.string(), isActive: z.int() })),
  }),
  users: z.object({ users: z.array(z.object({ id: z.string(), email: z.string() })) }),
  keys: z.object({ apiKeys: z.array(z.object({ id: z.string() })) }),
  webhooks: z.object({ webhooks: z.array(z.object({ id: z.string() })) }),
  delivery: z.object({ deliveryId: z.string() }),
  deliveries: z.object({ deliveries: z.array(z.object({ id: z.string() })) }),
  sessions: z.object({ sessions: z.array(z.object({ id: z.string(), isCurrent: z.boolean() })) }),
  contacts: z.object({ contacts: z.array(z.object({ id: z.string() })) }),
  offered: z.object({
    books: z.array(
      z.object({
        id: z.string(),
        slug: z.string(),
        files: z.array(z.object({ id: z.string(), languageCode: z.string(), fileType: z.string() })),
      }),
    ),
  }),
  library: z.object({ logo: z.object({ sha256: z.string() }).nullable() }),
  session: z.object({ user: z.object({ id: z.string() }) }),
  imports: z.object({ imports: z.array(z.object({ state: z.string() })) }),
  created: z.object({ id: z.string() }),
  link: z.object({ downloadUrl: z.string() }),
  id: z.object({ id: z.union([z.string(), z.int()]) }),
};
