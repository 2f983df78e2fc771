/** The columns that a spreadsheet of books may have. */
export const COLUMNS = [
  "slug",
  "title_en",
  "description_en",
  "language",
  "title",
  "description",
  "file",
  "format",
  "replace",
  "cover",
  "authors",
  "contributors",
  "publisher",
  "license",
  "isbn",
  "tags",
  "series",
  "series_position",
  "publish_at",
  "unpublish_at",
] as const;
export type Column = (typeof COLUMNS)[number];
