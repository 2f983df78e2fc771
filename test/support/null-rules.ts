/** What `null` does to each field of each update, as the record shows it afterwards. Fields not listed reject it. */

interface NullRules {
  /** Fields that `null` clears, with their values in the response. */
  cleared: Readonly<Record<string, unknown>>;
  /** Fields of which `null` changes nothing, or not always. */
  other?: readonly string[];
}

const NO_EDITION = { authors: [], contributors: [], publisher: null, license: null, isbn: null };

/** By operation: the bodies that update one record. */
export const NULL_RULES: Readonly<Record<string, NullRules>> = {
  updateBook: {
    cleared: { description: "", authors: [], tags: [], series: null, publishAt: null, unpublishAt: null },
    // Ignored, with any value.
    other: ["coverImagePath"],
  },
  putTranslation: {
    cleared: { description: null, ...NO_EDITION },
    // Either names the language.
    other: ["languageId", "languageCode"],
  },
  updateFile: {
    cleared: { fileSizeBytes: 0 },
    // Depends on the file.
    other: ["cloudUrl"],
  },
  updateLanguage: { cleared: { customDomain: null, emailConfirmation: null, parentId: null } },
  updateChannel: {
    cleared: { description: "", url: "", utmSource: null, utmMedium: null, utmCampaign: null, bookUrl: null },
  },
  updateLibrary: { cleared: { name: "", channelId: null } },
  updateLibraryTexts: {
    cleared: { name: "", introduction: "", footer: "", about: "", privacy: "", consent: "" },
    // A consent text needs it.
    other: ["consentVersion"],
  },
  updateContact: { cleared: { lastName: "", phone: "", country: "" } },
  updateUser: { cleared: {} },
  updateWebhook: { cleared: { name: "" } },
};
