/** The readers on record, and how they are forgotten. */
import { systemLater } from "../adapters/timer.ts";
import { ContactEventsQuery } from "../repositories/analytics/contact-events.ts";
import { ContactsExport } from "../repositories/analytics/contacts-export.ts";
import { ContactsListQuery } from "../repositories/analytics/contacts-list.ts";
import { OldEventsQuery } from "../repositories/analytics/old-events.ts";
import { recordRepositories } from "../repositories/index.ts";
import { ContactErasure } from "../services/contact-erasure.ts";
import { ContactsService } from "../services/contacts.service.ts";
import { Retention } from "../services/retention.ts";
import type { Uses } from "./uses.ts";

export function joinContacts({ config, database, reads, writeRecords, changeRecords, clock, log }: Uses) {
  const { contacts, consents } = recordRepositories(database.report);
  return {
    contacts: new ContactsService({
      contacts,
      consents,
      events: new ContactEventsQuery(database.report),
      list: new ContactsListQuery(database.report),
      export: new ContactsExport({ db: database.places, csv: database.csv }),
    }),
    contactErasure: new ContactErasure({
      contacts: reads.contacts,
      write: writeRecords,
      change: changeRecords,
    }),
    retention: new Retention({
      oldEvents: new OldEventsQuery(database.report),
      ...{ write: writeRecords, clock, later: systemLater, log, days: config.eventRetentionDays },
    }),
  };
}
