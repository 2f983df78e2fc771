/** Creates the services of downloads, and of the pages to which letters lead. */
import type { FileStore } from "../adapters/files/file-store.ts";
import type { GeoIp } from "../adapters/geo-ip/geo-ip.ts";
import type { Clock, NewId } from "../adapters/system.ts";
import { DownloadIds, Tokens } from "../adapters/tokens.ts";
import type { Config } from "../config.ts";
import type { PageLanguages } from "../library/page-languages.ts";
import type { Look } from "../library/shell.ts";
import type {
  ReportRepositories,
  Repositories,
  WriteIndependent,
  WriteRecords,
} from "../repositories/index.ts";
import type { PublicCatalogueService } from "./catalogue/public-catalogue.service.ts";
import { ConfirmationLinks } from "./confirmations/confirmation-links.ts";
import { ConfirmationRules } from "./confirmations/confirmation-rules.ts";
import { ConfirmationsService } from "./confirmations/confirmations.service.ts";
import { LetterDelays } from "./confirmations/letter-delays.ts";
import { WithheldLinks } from "./confirmations/withheld-links.ts";
import type { ConsentLedger } from "./contacts/consent-ledger.ts";
import type { ArchivePlans } from "./downloads/archive-plan.ts";
import type { Archives } from "./downloads/archives.ts";
import { DeliveriesService } from "./downloads/deliveries.service.ts";
import { DownloadLinks } from "./downloads/download-links.ts";
import { DownloadRecords } from "./downloads/download-records.ts";
import { DownloadsService } from "./downloads/downloads.service.ts";
import type { UnwrittenRedemptions } from "./downloads/unwritten-redemptions.ts";
import type { StoredFiles } from "./files/stored-files.ts";
import { LetterWriter } from "./letters/letter-writer.ts";
import { LettersService } from "./letters/letters.service.ts";
import { MailPages } from "./letters/mail-pages.ts";
import type { CatalogueVersions } from "./shared/catalogue-versions.ts";

interface Deps {
  config: Config;
  secret: string;
  reads: Repositories;
  reports: ReportRepositories;
  writeRecords: WriteRecords;
  writeIndependent: WriteIndependent;
  versions: CatalogueVersions;
  archives: Archives;
  store: FileStore;
  stored: StoredFiles;
  ledger: ConsentLedger;
  geoIp: GeoIp;
  unwritten: UnwrittenRedemptions;
  pageLanguages: PageLanguages;
  newId: NewId;
  clock: Clock;
}

export function createDownloadServices(deps: Deps, catalogue: PublicCatalogueService, plans: ArchivePlans) {
  const { config, reads, archives, secret, clock } = deps;
  const { mail, ipStorage: addressStorage, downloadTokenTtlMs: tokenTtlMs, redirectsDownloads } = config;
  const proxiesDownloads = config.accelPrefix !== undefined;
  const tokens = new Tokens({ secret, purpose: "download", clock });
  const ids = new DownloadIds({ secret });
  const links = new DownloadLinks({ ...reads, catalogue, plans, tokens, ids, tokenTtlMs, clock });
  const writer = new LetterWriter({ secret, perSenderHour: mail?.perSenderHour });
  const rules = new ConfirmationRules(mail);
  const withheld = new WithheldLinks({
    rules,
    reads,
    tokens: new Tokens({ secret, purpose: "confirmed-browser", clock }),
    delays: new LetterDelays({ report: deps.reports, writer, settings: mail, clock }),
  });
  const recording = { write: deps.writeRecords, addressStorage, rules };
  const letters = mail && { writer, settings: mail };
  const records = new DownloadRecords({ ...deps, ...recording, letters });
  const downloading = { archives, records, links, names: config.downloadNames };
  const confirmationTokens = new Tokens({ secret, purpose: "mail-confirmation", clock });
  return {
    links,
    rules,
    withheld,
    confirmationLinks: new ConfirmationLinks({ reads, ids, tokens: confirmationTokens }),
    deliveries: new DeliveriesService({
      ...deps,
      ...downloading,
      withheld,
      redirectsDownloads,
      proxiesDownloads,
    }),
    downloads: new DownloadsService({ ...downloading, catalogue, plans, rules }),
  };
}

type Looks = { readLook(languageCode: string, mayWait: boolean): Promise<Look> };

/** What letters lead to. */
export function createMailServices(
  { config, reports: report, writeRecords: write, ...deps }: Deps,
  {
    links: downloads,
    confirmationLinks: links,
    withheld,
  }: Pick<ReturnType<typeof createDownloadServices>, "links" | "confirmationLinks" | "withheld">,
  looks: Looks,
) {
  const { mail: settings, publicSiteUrl: siteUrl, hasLibrary, ipStorage: addressStorage } = config;
  const pages = new MailPages({ ...deps, looks, siteUrl, hasLibrary });
  const shared = { ...deps, write, pages };
  return {
    letters: new LettersService({ ...shared, report, settings }),
    confirmations: new ConfirmationsService({ ...shared, links, downloads, withheld, addressStorage }),
  };
}
