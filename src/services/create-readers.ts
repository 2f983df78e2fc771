/** Creates the services of reports, and contacts for administrators, whose first request loads them. */
import type { Clock } from "../adapters/system.ts";
import type { Config } from "../config.ts";
import type { EventCounts } from "../repositories/event-counts/event-counts.ts";
import type { ChangeRecords, ReportRepositories, Repositories, WriteRecords } from "../repositories/index.ts";
import { AnalyticsService } from "./analytics/analytics.service.ts";
import { EventSearch } from "./analytics/event-search.ts";
import { AnalyticsSummary } from "./analytics/summary.ts";
import type { ConsentLedger } from "./contacts/consent-ledger.ts";
import { ContactCorrection, ContactErasure } from "./contacts/contact-correction.ts";
import { ContactsService } from "./contacts/contacts.service.ts";
import type { UnwrittenRedemptions } from "./downloads/unwritten-redemptions.ts";

interface Deps {
  config: Pick<Config, "consentTextVersions" | "mail">;
  reads: Repositories;
  reports: ReportRepositories;
  changeRecords: ChangeRecords;
  writeRecords: WriteRecords;
  eventCounts: EventCounts;
  ledger: ConsentLedger;
  unwritten: UnwrittenRedemptions;
  clock: Clock;
}

export function createReaderServices(deps: Deps) {
  const { config, reads, reports, writeRecords: write, changeRecords: change, ledger, clock } = deps;
  const hasLetters = config.mail !== undefined;
  const { downloadLog, reportNames: names, eventExport } = reports;
  const counts = deps.eventCounts;
  const search = new EventSearch({ titles: reports.eventTitles, addresses: reports.addresses });
  const analytics = new AnalyticsService({ counts, names, downloadLog, search, clock, export: eventExport });
  return {
    analytics,
    analyticsSummary: new AnalyticsSummary({ counts, reports: analytics, downloadLog, clock }),
    contacts: new ContactsService({
      ...reports,
      clock,
      events: reports.contactEvents,
      list: reports.contactsList,
      export: reports.contactsExport,
      textVersions: config.consentTextVersions,
      hasLetters,
    }),
    contactCorrection: new ContactCorrection({ change, ledger, clock, hasLetters }),
    contactErasure: new ContactErasure({ ...deps, contacts: reads.contacts, write, change }),
  };
}
