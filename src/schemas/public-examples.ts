/** What the public site sees, by example. */

export const languageNameExample = {
  id: 2,
  code: "es",
  name: "Spanish",
  nativeName: "Español",
  direction: "ltr" as const,
};

export const publicBookExample = {
  id: "01a1fb60-1a34-772b-a309-dba157e20a81",
  slug: "the-deep-well",
  titleEn: "The Deep Well",
  title: "El pozo profundo",
  description: "",
  languageCode: "es",
  coverUrl: "/api/books/the-deep-well/cover?languageCode=es",
  sortOrder: 1,
  languages: ["ar", "es"],
  files: [
    {
      id: "01a1fb60-1a34-772b-a309-dba157e20a83",
      languageCode: "es",
      fileType: "epub" as const,
      fileName: "pozo.epub",
      fileSizeBytes: 48_213,
    },
  ],
  updatedAt: "2026-03-01T12:00:00.000Z",
};

export const publicDetailsExample = {
  ...publicBookExample,
  title: publicBookExample.titleEn,
  languageCode: null,
  coverUrl: "/api/books/the-deep-well/cover",
  translations: [
    { languageCode: "ar", title: "البئر العميقة", description: "", direction: "rtl" as const },
    { languageCode: "es", title: "El pozo profundo", description: "", direction: "ltr" as const },
  ],
};
