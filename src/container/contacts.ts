/** The readers on record, and how they are forgotten. */
import { systemLater } from "../adapters/timer.ts";
import { CitiesQuery } from "../repositories/analytics/cities.ts";
import { ContactEventsQuery } from "../repositories/analytics/contact-events.ts";
import { ContactsExport } from "../repositories/analytics/contacts-export.ts";
import { ContactsListQuery } from "../repositories/analytics/contacts-list.ts";
import { OldEventsQuery } from "../repositories/analytics/old-events.ts";
import { ConsentStatesQuery } from "../repositories/consent-states.ts";
import { recordRepositories } from "../repositories/index.ts";
import { ConsentLedger } from "../services/consent-ledger.ts";
import { ContactCorrection } from "../services/contact-correction.ts";
import { ContactErasure } from "../services/contact-erasure.ts";
import { ContactsService } from "../services/contacts.service.ts";
import { Retention } from "../services/retention.ts";
import type { Uses } from "./uses.ts";

export function joinContacts({
  config,
  database,
  reads,
  writeRecords,
  changeRecords,
  newId,
  clock,
  clockTrust,
  log,
}: Uses) {
  const { contacts, consents } = recordRepositories(database.report);
  const { consentTextVersions: textVersions } = config;
  return {
    contacts: new ContactsService({
      contacts,
      consents,
      consentStates: new ConsentStatesQuery({ db: database.report, textVersions }),
      events: new ContactEventsQuery(database.report),
      cities: new CitiesQuery({ db: database.report }),
      list: new ContactsListQuery(database.report),
      export: new ContactsExport({ db: database.places, csv: database.csv, textVersions }),
    }),
    contactCorrection: new ContactCorrection({
      change: changeRecords,
      ledger: new ConsentLedger({ newId, textVersions }),
      clock,
    }),
    contactErasure: new ContactErasure({
      contacts: reads.contacts,
      write: writeRecords,
      change: changeRecords,
    }),
    retention: new Retention({
      oldEvents: new OldEventsQuery(database.report),
      ...{ write: writeRecords, clock, later: systemLater, log, days: config.eventRetentionDays },
      isClockTrusted: () => clockTrust.isTrusted(),
    }),
  };
}
