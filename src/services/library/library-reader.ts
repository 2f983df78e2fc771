/** What the library's pages read of its settings, texts and logo: kept in memory until the next change on any instance. */
import { readableAccent } from "../../lib/colors.ts";
import type { LanguagesRepository } from "../../repositories/languages.repository.ts";
import type {
  LibraryLogoFacts,
  LibraryRepository,
  LibraryRow,
} from "../../repositories/library.repository.ts";
import { CONTACT_FIELD_RULES, type ContactFieldRule } from "../../schemas/library.schemas.ts";
import { CatalogueCache } from "../shared/catalogue-cache.ts";
import type { CatalogueVersions } from "../shared/catalogue-versions.ts";
import { versionOf } from "../shared/record-versions.ts";
import { Service } from "../shared/service.ts";
import { parseWord } from "../shared/stored-values.ts";
import { chooseTexts, type LibraryTexts, listTextLanguages } from "./library-texts.ts";

/** What the form of the library asks for, besides first name and e-mail address. */
interface ContactFields {
  lastName: ContactFieldRule;
  phone: ContactFieldRule;
  country: ContactFieldRule;
}

export interface LibraryLogo {
  /** SHA-256 of its bytes in hex. */
  sha256: string;
  width: number;
  height: number;
  fileSizeBytes: number;
}

/** The settings of the library in no language. */
export interface LibrarySettings {
  name: string;
  /** As it was chosen. */
  accentColor: string;
  /** Readable on the backgrounds of pages, and under text in their colour. */
  accent: { light: string; dark: string };
  contactFields: ContactFields;
  /** Whether readers can download all books of a language. */
  offersAll: boolean;
  /** The channel whose books are shown; null for all published books. */
  channelId: string | null;
  logo: LibraryLogo | null;
  /** Another one after each change of these. */
  version: string;
}

export interface LogoImage {
  contentType: "image/png";
  bytes: Buffer;
  sha256: string;
  modifiedAt: number;
}

/** As long as nothing was set. */
export const DEFAULT_SETTINGS: Omit<LibraryRow, "id" | "updatedAt"> = {
  name: "",
  accentColor: "#1d5f8a",
  lastName: "optional",
  phone: "off",
  country: "off",
  offersAll: 1,
  channelId: null,
};

/** The colour as long as none was chosen. */
export const DEFAULT_ACCENT = readableAccent(DEFAULT_SETTINGS.accentColor);

/** In UTF-16 units: the texts of a hundred languages, or of more that have short ones. */
const MAX_TEXTS = 4_000_000;
const ENTRY_SIZE = 1000;

interface LibraryReaderDeps {
  reads: { library: LibraryRepository; languages: LanguagesRepository };
  versions: Pick<CatalogueVersions, "readCurrent">;
}

export class LibraryReader extends Service<LibraryReaderDeps> {
  readonly #settings = new CatalogueCache<LibrarySettings>({ maxSize: 1, sizeCalculation: () => 1 });
  readonly #texts = new CatalogueCache<LibraryTexts>({
    maxSize: MAX_TEXTS,
    sizeCalculation: ({ introduction, footer, about, privacy, consent }) =>
      ENTRY_SIZE + introduction.length + footer.length + about.length + privacy.length + consent.length,
  });
  readonly #logos = new CatalogueCache<LogoImage>({ maxSize: 1, sizeCalculation: () => 1 });

  async readLibrary(): Promise<LibrarySettings> {
    const { library } = this.deps.reads;
    return this.#settings.getOrCompose(await this.deps.versions.readCurrent(), "", async () =>
      describeSettings(await library.find(), await library.findLogoFacts()),
    );
  }

  /**
   * The texts that readers of a language see.
   * @param languageCode of the page; the caller bounds the number of codes. Without one, or of no language of the
   * catalogue: the English texts
   */
  async readTexts(languageCode?: string): Promise<LibraryTexts> {
    const { library, languages } = this.deps.reads;
    const scope = await this.deps.versions.readCurrent();
    return this.#texts.getOrCompose(scope, languageCode?.toLowerCase() ?? "", async () => {
      const asked = listTextLanguages(await languages.list(), languageCode);
      const rows = await library.listTexts(asked.map(({ id }) => id));
      const { name } = (await library.find()) ?? DEFAULT_SETTINGS;
      return chooseTexts(asked, rows, name);
    });
  }

  /** Undefined if there is none. A page names it by its hash, so that a changed one has another address. */
  async readLogo(): Promise<LogoImage | undefined> {
    const { library } = this.deps.reads;
    const scope = await this.deps.versions.readCurrent();
    const found = await this.#logos.getOrCompose(scope, "", async () => {
      const row = await library.findLogo();
      if (!row) return NO_LOGO;
      const { sha256, png, updatedAt } = row;
      return { contentType: "image/png", bytes: Buffer.from(png, "base64"), sha256, modifiedAt: updatedAt };
    });
    return found.bytes.length === 0 ? undefined : found;
  }
}

/** Kept, so that a request for a logo that doesn't exist reads nothing. */
const NO_LOGO: LogoImage = { contentType: "image/png", bytes: Buffer.alloc(0), sha256: "", modifiedAt: 0 };

function describeSettings(row: LibraryRow | undefined, facts: LibraryLogoFacts | undefined): LibrarySettings {
  const { name, accentColor, offersAll, channelId, ...rest } = row ?? DEFAULT_SETTINGS;
  const logo = facts ? presentLogo(facts) : null;
  return {
    name,
    accentColor,
    accent: readableAccent(accentColor),
    contactFields: contactFieldsOf(rest),
    offersAll: offersAll === 1,
    channelId,
    logo,
    version: versionOf(
      name,
      accentColor,
      rest.lastName,
      rest.phone,
      rest.country,
      offersAll,
      channelId,
      logo?.sha256 ?? null,
    ),
  };
}

export const presentLogo = ({ sha256, width, height, fileSizeBytes }: LibraryLogoFacts): LibraryLogo => ({
  sha256,
  width,
  height,
  fileSizeBytes,
});

export const contactFieldsOf = ({
  lastName,
  phone,
  country,
}: Pick<LibraryRow, "lastName" | "phone" | "country">): ContactFields => ({
  lastName: parseWord(CONTACT_FIELD_RULES, lastName),
  phone: parseWord(CONTACT_FIELD_RULES, phone),
  country: parseWord(CONTACT_FIELD_RULES, country),
});
