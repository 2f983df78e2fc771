/** What several pages count, in Arabic. */
import { countOf } from "./plural.ts";

const count = countOf("ar");

export const filesAr = (n: number): string =>
  count(n, "لا ملفات", "ملف واحد", "ملفان", "# ملفات", "# ملفًا", "# ملف");

export const booksAr = (n: number): string =>
  count(n, "لا كتب", "كتاب واحد", "كتابان", "# كتب", "# كتابًا", "# كتاب");
