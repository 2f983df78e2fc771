/** Contacts: readers who requested downloads, and their download history. */
import type { Clock } from "../../adapters/system.ts";
import { invalidInput } from "../../errors.ts";
import { findCountryTerms } from "../../lib/countries.ts";
import { foldForSearch, searchWords, splitIntoWords } from "../../lib/text.ts";
import {
  type ConsentStatesQuery,
  type ConsentsRepository,
  PENDING_MS,
} from "../../repositories/consents.repository.ts";
import type { ContactsRepository } from "../../repositories/contacts.repository.ts";
import type {
  CitiesQuery,
  ContactEventsQuery,
  ContactFilter,
  ContactsListQuery,
} from "../../repositories/contacts-list.ts";
import type { EventRow } from "../../repositories/events.repository.ts";
import type { ContactsExport } from "../../repositories/exports/contacts-export.ts";
import type { LanguagesRepository } from "../../repositories/languages.repository.ts";
import type { ConsentTextsRepository } from "../../repositories/library.repository.ts";
import {
  CONTACT_COLUMNS,
  type ContactDetails,
  type ContactExportQuery as ExportQuery,
  LETTER_COLUMNS,
  type ListedContact,
  type ContactListQuery as ListQuery,
  type PersonalData,
} from "../../schemas/contacts.schemas.ts";
import { offsetOf, type Pagination, paginationOf } from "../../schemas/queries.ts";
import { readConsentTexts } from "../library/consent-texts.ts";
import { readCsvPages, readPages } from "../shared/export-pages.ts";
import {
  type CsvDocument,
  csvOptionsOf,
  formatExportName,
  isFiltered,
  type JsonDocument,
  type JsonPages,
} from "../shared/results.ts";
import { Service } from "../shared/service.ts";
import { findContact } from "./consent-ledger.ts";
import { NEWSLETTER_COLUMNS, newsletterPages } from "./newsletter.ts";
import {
  presentConsent,
  presentContact,
  presentContactEvent,
  presentCurrentConsent,
  presentListedContact,
  presentPersonalEvent,
  presentRecordedConsent,
} from "./presenters.ts";

/** Number of events in the details of a contact. */
const LATEST_EVENTS = 1000;
/** Maximum number of cities that a search term can match, because city names are parameters of a statement. */
const MAX_CITIES = 1000;
/** Rows of personal data per statement. */
const PAGE_ROWS = 250;

/** They run on worker threads, because there can be many contacts with long histories. */
interface ContactsServiceDeps {
  clock: Clock;
  contacts: ContactsRepository;
  consents: ConsentsRepository;
  consentStates: ConsentStatesQuery;
  consentTexts: ConsentTextsRepository;
  languages: LanguagesRepository;
  events: ContactEventsQuery;
  cities: CitiesQuery;
  list: ContactsListQuery;
  export: ContactsExport;
  /** Text versions to which a consent is valid; empty: all. */
  textVersions: readonly string[];
  /** Whether letters are written. */
  hasLetters: boolean;
}

export class ContactsService extends Service<ContactsServiceDeps> {
  /** Contacts with the most recent downloads first. */
  async list(query: ListQuery): Promise<{ contacts: ListedContact[]; pagination: Pagination }> {
    const filter = await this.#filterOf(query);
    const page = { limit: query.limit, offset: offsetOf(query) };
    const isFiltered = Object.values(filter).some((asked) => asked !== undefined);
    const rows = isFiltered ? await this.deps.list.find(filter, page) : await this.deps.list.listLatest(page);
    const total = rows[0]?.found ?? (await this.deps.list.count(filter));
    const ids = rows.map(({ id }) => id);
    const consents = await this.deps.consentStates.ofPage(ids, this.deps.clock.now());
    const contacts = rows.map((row) => presentListedContact(row, consents.get(row.id), this.deps.hasLetters));
    return { contacts, pagination: paginationOf(query, total) };
  }

  async readDetails(publicId: string): Promise<ContactDetails> {
    const row = await findContact(this.deps.contacts, publicId);
    const consents = await this.deps.consents.listOf(row.id);
    const current = await this.deps.consentStates.findState(row.id, this.deps.clock.now());
    const events = await this.deps.events.listLatest(row.id, LATEST_EVENTS);
    const findText = await readConsentTexts(this.deps, consents);
    return {
      contact: presentContact(row, current?.givenAt, this.deps.hasLetters),
      consent: presentCurrentConsent(current),
      consents: consents.reverse().map((each) => presentRecordedConsent(each, findText(each))),
      events: events.map(presentContactEvent),
    };
  }

  async export(query: ExportQuery): Promise<CsvDocument> {
    const { format, bom = format === "csv" } = query;
    const { clock, hasLetters } = this.deps;
    const filter = { ...(await this.#filterOf(query)), pendingSince: this.#pendingSince, hasLetters };
    const fileName = formatExportName("contacts", query, clock.now(), describeContents(query));
    // A program that imports the file would take the protection from formulas for a part of an address or a name.
    const raw = format !== "csv" || query.raw;
    const document = { fileName, ...csvOptionsOf({ ...query, bom, raw }) };
    if (format === "csv") {
      const columns = [...CONTACT_COLUMNS, ...(hasLetters ? LETTER_COLUMNS : [])];
      return { ...document, columns, pages: readCsvPages(this.deps.export, filter, query) };
    }
    const { names: columns } = NEWSLETTER_COLUMNS[format];
    return { ...document, columns, pages: newsletterPages(this.deps.export, filter, format) };
  }

  /** All stored data about one person. */
  async exportPersonalData(publicId: string): Promise<JsonDocument<PersonalData>> {
    const row = await findContact(this.deps.contacts, publicId);
    const consent = await this.deps.consentStates.findState(row.id, this.deps.clock.now());
    return {
      fileName: `personal-data-${publicId}.json`,
      head: {
        contact: presentContact(row, consent?.givenAt, this.deps.hasLetters),
        consent: presentCurrentConsent(consent),
      },
      lists: { consents: this.#readConsentPages(row.id), events: this.#readEventPages(row.id) },
    };
  }

  get #pendingSince(): number {
    return this.deps.clock.now() - PENDING_MS;
  }

  /** Empty search texts are ignored. */
  async #filterOf(query: ListQuery | ExportQuery): Promise<ContactFilter> {
    const { search, country, city, languageId, bookId, utmCampaign, marketing } = query;
    const { verified, from, until } = query;
    const { textVersions } = this.deps;
    return {
      search: searchWords(search),
      country: country ? findCountryTerms(country) : undefined,
      cities: city ? await this.#findCities(city) : undefined,
      languageId,
      bookId,
      utmCampaign,
      marketing: marketing && { state: marketing, textVersions, pendingSince: this.#pendingSince },
      verified,
      from,
      until,
    };
  }

  /** Cities whose names contain all words, ignoring case and accents. */
  async #findCities(name: string): Promise<string[]> {
    const words = splitIntoWords(name);
    const found = (await this.deps.cities.listNames()).filter((city) => {
      const folded = foldForSearch(city);
      return words.every((word) => folded.includes(word));
    });
    if (found.length <= MAX_CITIES) return found;
    const message = `matches more than ${MAX_CITIES} cities; enter more of the name`;
    throw invalidInput([{ in: "query", path: "city", message, code: "too_many_cities" }]);
  }

  async *#readConsentPages(contactId: number): JsonPages {
    yield (await this.deps.consents.listOf(contactId)).reverse().map(presentConsent);
  }

  async *#readEventPages(contactId: number): JsonPages {
    const pages = readPages<EventRow>(PAGE_ROWS, (last) =>
      this.deps.events.listBefore(contactId, last?.id, PAGE_ROWS),
    );
    for await (const rows of pages) yield rows.map(presentPersonalEvent);
  }
}

/** What an export contains, for its name: newsletters are sent to those who allow marketing only. */
function describeContents({ format, marketing, ...query }: ExportQuery): string | undefined {
  const filtered = isFiltered(query) ? "-filtered" : "";
  if (format !== "csv") return `${format}-marketing${filtered}`;
  return marketing && `marketing-${marketing}${filtered}`;
}
