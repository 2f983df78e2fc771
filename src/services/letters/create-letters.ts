/** Creates the delivery of letters. */
import type { Logger } from "../../adapters/logger.ts";
import { MailClient } from "../../adapters/mail-client.ts";
import { type Clock, randomPart } from "../../adapters/system.ts";
import type { Config } from "../../config.ts";
import type { PageLanguages } from "../../library/page-languages.ts";
import type { RecordRepositories, WriteRecords } from "../../repositories/index.ts";
import type { ConfirmationLinks } from "../confirmations/confirmation-links.ts";
import type { DownloadLinks } from "../downloads/download-links.ts";
import type { PasswordLinksService } from "../users/password-links.service.ts";
import { LetterContents } from "./letter-contents.ts";
import { LetterDelivery } from "./letter-delivery.ts";

export interface LettersDeps {
  config: Config;
  pageLanguages: PageLanguages;
  reads: RecordRepositories;
  write: WriteRecords;
  links: DownloadLinks;
  confirmations: ConfirmationLinks;
  accounts: PasswordLinksService;
  clock: Clock;
  log: Logger;
}

/** Undefined without a mail server. */
export function createLetters({
  config: { mail: settings },
  pageLanguages: languages,
  ...deps
}: LettersDeps): LetterDelivery | undefined {
  if (!settings) return undefined;
  const contents = new LetterContents({ ...deps, settings, languages });
  const client = new MailClient(settings);
  return new LetterDelivery({ ...deps, settings, contents, client, random: randomPart });
}
