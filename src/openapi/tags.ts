/** The groups of the reference, in their order, with what each is for. */
export const TAGS = {
  Public: "What a public website or app needs: published books and languages, covers, and downloads.",
  Authentication: "Log in, log out, and manage the session and password of the logged-in user.",
  Books: "Create, update, order, archive and delete books.",
  Translations: "Titles and descriptions of a book in other languages.",
  Files: "Files of a book: uploads stored by the service and links to files in cloud storage.",
  Covers: "Cover images of a book, one for each language and one of the book's own.",
  Languages: "Languages and sub-languages, and which books a sub-language shows.",
  Channels:
    "Distribution channels, such as a website or a newsletter, and which books are published on them.",
  Contacts: "People who requested downloads. Use these operations to export or erase personal data.",
  Analytics: "Download statistics, the download event log and its CSV export.",
  "API Keys": "Credentials for programs that manage the catalogue.",
  Users: "Accounts of administrators and their roles.",
  "Audit log": "Who changed what, and when.",
  Settings: "Facts about this installation, and the geolocation database.",
  System: "Health checks, diagnostics, the favicon, and this API description.",
} as const;

export type Tag = keyof typeof TAGS;
