/** Readiness, service information and the favicon. */
import type { Favicon } from "../adapters/images/favicon.ts";
import type { Clock } from "../adapters/system.ts";
import type { Config } from "../config.ts";
import { databaseBusy } from "../db/storage-error.ts";
import { unavailable } from "../errors.ts";
import { entityTag } from "../lib/entity-tag.ts";
import { isoTime } from "../lib/time.ts";
import { choosePageLanguage, type PageLanguages } from "../library/page-languages.ts";
import type { LanguagesRepository } from "../repositories/languages.repository.ts";
import type { ServiceOffer } from "../schemas/auth.schemas.ts";
import { FILE_TYPES } from "../schemas/file-types.ts";
import type { Readiness } from "../schemas/system.schemas.ts";
import { appVersion } from "../version.ts";
import type { Availability } from "./availability.ts";
import { type ClockComparison, describeOffset } from "./clock-comparison.ts";
import type { ConfirmationRules } from "./confirmations/confirmation-rules.ts";
import { logoPathOf } from "./library/library-looks.ts";
import type { LibraryReader } from "./library/library-reader.ts";
import type { ImageBytes } from "./shared/results.ts";
import { Service } from "./shared/service.ts";

export interface ServiceFacts {
  /** The public base URL; "/" if it isn't configured. */
  serverUrl: string;
  /** The public site, if it is configured. */
  siteUrl: string | undefined;
  /** Whether the service shows the library. */
  hasLibrary: boolean;
}

interface SystemServiceDeps {
  config: Pick<Config, "publicBaseUrl" | "publicSiteUrl" | "hasLibrary" | "mail" | "maxUploadBytes">;
  availability: Availability;
  counts: { isReading: boolean };
  clocks: Pick<ClockComparison, "notedOffsetMs" | "isTooFar">;
  favicon: Favicon;
  clock: Clock;
  rules: ConfirmationRules;
  languages: Pick<LanguagesRepository, "list">;
  libraryReader: Pick<LibraryReader, "readLibrary" | "readTexts">;
  pageLanguages: PageLanguages;
}

export class SystemService extends Service<SystemServiceDeps> {
  /** Facts about the service for its OpenAPI description and its pages. */
  readonly facts: ServiceFacts;

  constructor(deps: SystemServiceDeps) {
    super(deps);
    const { publicBaseUrl: serverUrl = "/", publicSiteUrl: siteUrl, hasLibrary } = deps.config;
    this.facts = { serverUrl, siteUrl, hasLibrary };
  }

  /** What a console needs to know about the service. @param wanted codes of languages by preference */
  async readOffer(wanted: readonly string[]): Promise<ServiceOffer> {
    const { facts } = this;
    const { config, rules, languages } = this.deps;
    const { mail, maxUploadBytes, publicBaseUrl } = config;
    const libraryUrl = facts.hasLibrary && publicBaseUrl !== undefined ? publicBaseUrl : null;
    return {
      limits: { maxUploadBytes, fileTypes: [...FILE_TYPES] },
      publicSiteUrl: facts.siteUrl ?? libraryUrl,
      features: {
        mail: mail !== undefined,
        webhooks: publicBaseUrl !== undefined,
        emailConfirmation: await rules.isOn(() => languages.list()),
        oidc: false,
        library: facts.hasLibrary,
      },
      organisation: await this.#readOrganisation(wanted),
      version: appVersion,
    };
  }

  async #readOrganisation(wanted: readonly string[]): Promise<ServiceOffer["organisation"]> {
    const { libraryReader, pageLanguages } = this.deps;
    // Of the few languages of pages: what is kept is kept by language.
    const { name } = await libraryReader.readTexts(choosePageLanguage(wanted, pageLanguages).code);
    const path = this.facts.hasLibrary ? logoPathOf((await libraryReader.readLibrary()).logo) : undefined;
    return { name, logoUrl: path === undefined ? null : `/${path}` };
  }

  /** The operator's favicon, or the built-in one. */
  async favicon(): Promise<ImageBytes> {
    const { bytes, contentType } = await this.deps.favicon.readPicture();
    return { bytes, contentType, etag: entityTag(bytes) };
  }

  async health(): Promise<{ isHealthy: boolean; timestamp: string }> {
    const timestamp = isoTime(this.deps.clock.now());
    const { database: isHealthy } = await this.deps.availability.readState();
    return { isHealthy, timestamp };
  }

  /**
   * Ready even if the database or the file store doesn't respond: all instances share them, so a load balancer would
   * be left without any instance.
   * @throws 503 `database_unavailable` while only this instance can't write, and 503 `clock_wrong` while its clock is further
   * off the database's than the life of a link
   */
  async readiness(): Promise<Readiness> {
    const timestamp = isoTime(this.deps.clock.now());
    const { database, files, isCutOff } = await this.deps.availability.readState();
    if (isCutOff)
      throw databaseBusy("The connection of this instance for changes doesn't respond. Others may.");
    const { notedOffsetMs, isTooFar } = this.deps.clocks;
    if (isTooFar) throw unavailable("clock_wrong", describeOffset(notedOffsetMs ?? 0));
    const reports = this.deps.counts.isReading ? "reading" : "ready";
    const ready = {
      status: "ready",
      timestamp,
      reports,
      ...(notedOffsetMs !== undefined && { clockOffsetSeconds: Math.round(notedOffsetMs / 1000) }),
    } as const;
    if (database && files) return ready;
    return {
      ...ready,
      unavailable: [...(database ? [] : ["database" as const]), ...(files ? [] : ["files" as const])],
    };
  }
}
