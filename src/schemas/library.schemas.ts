/** The library for readers: its settings, its texts and its logo. */
import { z } from "zod";
import { COLOR_PATTERN } from "../lib/colors.ts";
import {
  booleanField,
  count,
  languageCode,
  multilineText,
  optional,
  recordId,
  success,
  text,
  uuid,
  version,
  versionExample,
} from "./atoms.ts";
import { rule } from "./error-codes.ts";
import { clearable, kept, updateOf } from "./fields.ts";

/** Whether the form asks for a field, and requires it. */
export const CONTACT_FIELD_RULES = ["off", "optional", "required"] as const;
export type ContactFieldRule = (typeof CONTACT_FIELD_RULES)[number];

export const MAX_LOGO_BYTES = 1024 * 1024;

const color = text({ max: 20 })
  .refine(
    (given) => COLOR_PATTERN.test(given),
    rule("invalid_format", "must be a colour of six hexadecimal digits, such as #1d5f8a"),
  )
  .overwrite((given) => given.toLowerCase())
  .meta({ wire: { type: "string", pattern: "^#[0-9a-fA-F]{6}$" } });

const contactField = z.enum(CONTACT_FIELD_RULES);

const contactFieldsUpdate = z
  .strictObject({
    lastName: optional(contactField).describe("Whether the form asks for the last name."),
    phone: optional(contactField).describe("Whether the form asks for the phone number."),
    country: optional(contactField).describe("Whether the form asks for the country."),
  })
  .meta({ example: { lastName: "off", phone: "off", country: "required" } });

const ACCENT =
  "Colour of links and buttons, as `#rrggbb`. Where it couldn't be read, pages use a darker or lighter one.";
const OFFERS_ALL = "Whether readers can download all books of a language as one file.";
const CHANNEL = "Identifier of the channel whose books the library shows; null for all published books.";
const FIELDS = "What the form asks for besides the first name and the e-mail address.";

export const libraryUpdate = updateOf({
  name: clearable(text({ max: 300 }), "", "Name of the library where its texts have none."),
  accentColor: kept(color, ACCENT),
  contactFields: kept(contactFieldsUpdate, `${FIELDS} Omitted ones keep their values.`),
  offersAll: kept(booleanField, OFFERS_ALL),
  channelId: clearable(recordId, null, CHANNEL),
}).meta({
  id: "LibraryUpdate",
  description: "Settings of the library to change; omitted ones keep their values.",
  example: { name: "Village Library", accentColor: "#1d5f8a", contactFields: { phone: "optional" } },
});
export type LibraryUpdate = z.output<typeof libraryUpdate>;

const logoExample = {
  sha256: "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
  width: 640,
  height: 160,
  fileSizeBytes: 18_432,
};

export const libraryLogo = z
  .object({
    sha256: z.string().describe("SHA-256 of the image in hexadecimal."),
    width: count.describe("Width in pixels."),
    height: count.describe("Height in pixels."),
    fileSizeBytes: count.describe("Size of the image in bytes."),
  })
  .meta({
    id: "LibraryLogo",
    description: "Image that pages show beside the name, as it is stored.",
    example: logoExample,
  });

export const library = z
  .object({
    name: z.string().describe("Name of the library where its texts have none; empty if it isn't set."),
    accentColor: z.string().describe(ACCENT),
    contactFields: z
      .object({
        lastName: contactField.describe("Whether the form asks for the last name."),
        phone: contactField.describe("Whether the form asks for the phone number."),
        country: contactField.describe("Whether the form asks for the country."),
      })
      .describe(`${FIELDS} \`off\`: the form doesn't have the field.`),
    offersAll: z.boolean().describe(OFFERS_ALL),
    channelId: uuid.nullable().describe(CHANNEL),
    logo: libraryLogo.nullable().describe("The logo; null if there is none."),
    version,
  })
  .meta({
    id: "Library",
    description: "Settings of the library for readers.",
    example: {
      name: "Village Library",
      accentColor: "#1d5f8a",
      contactFields: { lastName: "optional", phone: "off", country: "off" },
      offersAll: true,
      channelId: null,
      logo: logoExample,
      version: versionExample,
    },
  });
export type Library = z.infer<typeof library>;

export const libraryUpdated = success.extend({ library });
export const libraryLogoUpdated = success.extend({ logo: libraryLogo });

export const libraryTextsParams = z.object({
  languageCode: languageCode.describe("BCP 47 code of the language of the texts."),
});

/** Line ends are those of the sender's system: without this, a text would differ from itself. */
const linesOf = (max: number) =>
  multilineText({ max }).overwrite((given) => given.replaceAll(/\r\n?/g, "\n"));

const PLAIN =
  "Plain text: blank lines separate paragraphs, and addresses that begin with `https://` are links.";
const TEXTS = {
  name: "Name of the library in this language.",
  introduction: `Introduction above the list of books. ${PLAIN}`,
  footer: `Text at the end of every page. ${PLAIN}`,
  about: `The page about the organisation. ${PLAIN}`,
  privacy: `The page on privacy. ${PLAIN}`,
  consent: `What readers agree to who want to receive messages. ${PLAIN}`,
  consentVersion:
    "Version of the consent text; recorded with each reader's consent. Each version keeps its text for good.",
};

export const libraryTextsUpdate = updateOf({
  name: clearable(text({ max: 300 }), "", TEXTS.name),
  introduction: clearable(linesOf(2000), "", TEXTS.introduction),
  footer: clearable(linesOf(2000), "", TEXTS.footer),
  about: clearable(linesOf(20_000), "", TEXTS.about),
  privacy: clearable(linesOf(20_000), "", TEXTS.privacy),
  consent: clearable(linesOf(2000), "", TEXTS.consent),
  consentVersion: clearable(text({ max: 100 }), "", TEXTS.consentVersion),
}).meta({
  id: "LibraryTextsUpdate",
  description: "Texts of the library to change; omitted ones keep their values.",
  example: { name: "Biblioteca del pueblo", consent: "Quiero recibir noticias.", consentVersion: "2026-03" },
});
export type LibraryTextsUpdate = z.output<typeof libraryTextsUpdate>;

const textFields = {
  name: z.string().describe(TEXTS.name),
  introduction: z.string().describe(TEXTS.introduction),
  footer: z.string().describe(TEXTS.footer),
  about: z.string().describe(TEXTS.about),
  privacy: z.string().describe(TEXTS.privacy),
  consent: z.string().describe(TEXTS.consent),
  consentVersion: z.string().describe(TEXTS.consentVersion),
};

const fallbackExample = {
  name: "Village Library",
  introduction: "Books from our village.",
  footer: "",
  about: "",
  privacy: "We keep your e-mail address.",
  consent: "Send me news.",
  consentVersion: "2026-01",
};

export const libraryTexts = z
  .object({
    languageCode: z.string().describe("BCP 47 code of the language of the texts."),
    ...textFields,
    fallback: z
      .object(textFields)
      .describe(
        "What readers see where a text is empty: that of the parent language, then the English one, then the `name` of the library. `consent` and `consentVersion` are those of one language.",
      ),
    version,
  })
  .meta({
    id: "LibraryTexts",
    description: "Texts of the library in a language; what isn't set is empty.",
    example: {
      ...fallbackExample,
      languageCode: "es",
      name: "Biblioteca del pueblo",
      introduction: "",
      fallback: fallbackExample,
      version: versionExample,
    },
  });
export type LibraryTextsRecord = z.infer<typeof libraryTexts>;

export const libraryTextsUpdated = success.extend({ texts: libraryTexts });
