/** The parameters of the feed and the sitemap. */
import { z } from "zod";

export const sitemapParams = z.object({
  number: z
    .string()
    .regex(/^[1-9]\d{0,8}$/)
    .transform(Number)
    .describe("Number of the part, starting at 1."),
});
