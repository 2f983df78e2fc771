/** The doctor: checks the database, stored files and links, and recommends an action for each finding. */
import type { CloudFetch } from "../../adapters/cloud-fetch.ts";
import type { NamedFile } from "../../adapters/files/named-file.ts";
import type { CoverImages } from "../../adapters/images/cover-images.ts";
import type { Clock } from "../../adapters/system.ts";
import type { MissingPart } from "../../db/schema-parts.ts";
import type { DatabaseState } from "../../db/soundness.ts";
import { conflict, type Progress, unavailable } from "../../errors.ts";
import { DAY, isoTime } from "../../lib/time.ts";
import { parseTrustedRange, type TrustedRange } from "../../lib/trusted-ranges.ts";
import type { BookTexts } from "../../repositories/book-texts.ts";
import type { DoctorRepository } from "../../repositories/doctor.repository.ts";
import type { EventsRepository } from "../../repositories/events.repository.ts";
import type { InstallationRepository } from "../../repositories/installation.repository.ts";
import type { MixUpsRepository } from "../../repositories/mix-ups.repository.ts";
import type { ReplacedBytesRepository } from "../../repositories/replaced-bytes.repository.ts";
import type { DoctorQuery, DoctorReport } from "../../schemas/doctor.schemas.ts";
import { describeOffset, isNoted } from "../clock-comparison.ts";
import type { UnwrittenState } from "../downloads/waiting-file.ts";
import { Service } from "../shared/service.ts";
import {
  addMissing,
  type ByteChecks,
  checkLinks,
  checkSearchIndex,
  checkTexts,
  isDatabaseSound,
  type Watch,
} from "./checks.ts";
import { countDaysAhead } from "./clock-trust.ts";
import { Findings, MAX_FINDINGS } from "./findings.ts";
import type { KeptZips } from "./kept-zips.ts";
import { checkMixUps } from "./mix-ups.ts";
import { checkOutbox, type OutboxChecks } from "./outbox-checks.ts";

/** The provider's terms require an update within 30 days. */
const GEOIP_MAX_AGE_DAYS = 30;
/** Retention runs daily, an hour after a start. */
const OVERDUE_DAYS = 2;

interface DoctorServiceDeps {
  rows: DoctorRepository;
  mixUps: MixUpsRepository;
  texts: BookTexts;
  examineDatabase(limit: number, signal: AbortSignal): Promise<DatabaseState>;
  findMissing(): Promise<MissingPart[]>;
  bytes: ByteChecks;
  replaced: Pick<ReplacedBytesRepository, "measure">;
  zips: KeptZips;
  cloud: CloudFetch;
  /** The City database. */
  cityFile: Pick<NamedFile, "readFacts">;
  images: CoverImages;
  clock: Clock;
  installation: Pick<InstallationRepository, "read">;
  /** By how much the clock is ahead of the database's, in milliseconds; undefined if it has no other one. */
  findClockOffset(): Promise<number | undefined>;
  readUnwritten(): Promise<UnwrittenState>;
  events: Pick<EventsRepository, "listWithReader" | "listRecentAddresses">;
  /** Number of days after which an event is anonymised; undefined: never. */
  eventRetentionDays: number | undefined;
  trustProxy: number | readonly string[];
  outbox: OutboxChecks;
}

/** Who waits for an examination. */
interface Observer {
  /** Ends the examination soon after it is aborted. */
  signal: AbortSignal;
  report(progress: Progress): void;
}

/** @param of how many files, covers and links there are; more can come while they are examined */
function watchFor({ signal, report }: Observer, of: number): Watch {
  let done = 0;
  report({ done, of });
  return {
    signal,
    countExamined() {
      done += 1;
      report({ done, of: Math.max(done, of) });
    },
  };
}

export class DoctorService extends Service<DoctorServiceDeps> {
  #isRunning = false;
  readonly #stop = new AbortController();

  /** Aborts the current examination with 503 `stopping`: it takes longer than a shutdown may. */
  stop(): void {
    this.#stop.abort(unavailable("stopping", "The server is shutting down. Try again shortly."));
  }

  /**
   * Runs one examination at a time, because each reads the whole disk. Throws 409 `doctor_running` for a second one, and
   * the reason of the signal when it is aborted.
   */
  async examine(query: DoctorQuery, given: Partial<Observer> = {}): Promise<DoctorReport> {
    if (this.#isRunning) throw conflict("doctor_running", "Another examination is running.");
    this.#isRunning = true;
    const signal = AbortSignal.any([this.#stop.signal, ...(given.signal ? [given.signal] : [])]);
    try {
      signal.throwIfAborted();
      const findings = new Findings();
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
      const observer = { signal, report: given.report ?? (() => {}) };
      await Promise.race([this.#examineAll(findings, query, observer), aborted]);
      return { ...findings.report(), checkedAt: isoTime(this.deps.clock.now()) };
    } finally {
      this.#isRunning = false;
    }
  }

  async #examineAll(findings: Findings, { deep, cloud }: DoctorQuery, observer: Observer): Promise<void> {
    const { rows, bytes, examineDatabase, zips } = this.deps;
    const { signal } = observer;
    // Further results from a damaged database would be meaningless.
    if (deep && !isDatabaseSound(findings, await examineDatabase(MAX_FINDINGS, signal))) return;
    addMissing(findings, await this.deps.findMissing());
    const watch = watchFor(observer, (await rows.countKept()) + (cloud ? await rows.countLinks() : 0));
    await bytes.checkRows(findings, deep, watch);
    if (deep) await zips.deleteWith(findings.wrongContents);
    await bytes.checkOrphans(findings, watch);
    await bytes.measureSetAside(findings);
    await this.#measureReplaced(findings);
    await this.#checkCatalogue(findings);
    await checkTexts(findings, this.deps.texts, watch);
    await checkSearchIndex(findings, this.deps.texts);
    await checkMixUps({ findings, rows: this.deps.mixUps, watch });
    if (cloud) await checkLinks(findings, this.deps, watch);
    await this.#checkGeoIp(findings);
    await this.#checkClock(findings);
    await this.#compareClocks(findings);
    await this.#checkRetention(findings);
    await this.#checkUnwritten(findings);
    await checkTrustedReaders(findings, this.deps);
    await checkOutbox(findings, this.deps.outbox, this.deps.clock.now());
    await this.#checkImages(findings);
  }

  async #measureReplaced({ examined }: Findings): Promise<void> {
    const { files, bytes } = await this.deps.replaced.measure();
    examined.replacedFiles = files;
    examined.replacedBytes = bytes;
  }

  async #checkCatalogue(findings: Findings): Promise<void> {
    const languages = await this.deps.rows.findLanguagesWithoutFiles(MAX_FINDINGS);
    findings.addAll("language_without_files", languages, ({ id, name, languageCode }) => ({
      object: { kind: "language", id, name: languageCode },
      message: `${name} is active, but no active book has a file in it.`,
    }));
    const translations = await this.deps.rows.findTranslationsWithoutFile(MAX_FINDINGS);
    findings.addAll("translation_without_file", translations, ({ id, name, languageCode }) => ({
      object: { kind: "translation", id, name },
      message: `The book has a translation in ${languageCode}, but no file.`,
    }));
    const publications = await this.deps.rows.findPublishedWithoutFile(MAX_FINDINGS);
    findings.addAll("published_without_file", publications, ({ id, name, languageCode, channel }) => ({
      object: { kind: "publication", id, name },
      message: `The book is on the channel ${channel} in ${languageCode}, but has no file there.`,
    }));
    const channels = await this.deps.rows.findClosedChannelOfLibrary();
    findings.addAll("library_channel", channels, ({ name }) => ({
      object: { kind: "setting", id: "channelId", name: "library" },
      message: `The library shows the channel ${name}, which is inactive: readers find no books.`,
    }));
  }

  async #checkGeoIp(findings: Findings): Promise<void> {
    findings.begin("geoip_stale");
    const facts = await this.deps.cityFile.readFacts();
    if (facts === undefined) return;
    const days = Math.floor((this.deps.clock.now() - facts.modifiedAt) / DAY);
    if (days <= GEOIP_MAX_AGE_DAYS) return;
    const object = { kind: "geoip", id: "city", name: "City database" } as const;
    findings.add("geoip_stale", object, `The City database is ${days} days old.`);
  }

  async #checkClock(findings: Findings): Promise<void> {
    findings.begin("clock_ahead");
    const { lastHour } = await this.deps.installation.read();
    const days = countDaysAhead(this.deps.clock.now(), lastHour);
    if (days === undefined || lastHour === null) return;
    const object = { kind: "clock", id: "clock", name: "clock" } as const;
    const since = `The clock is ${days} days ahead of the last hour in which the service ran (${isoTime(lastHour)}).`;
    findings.add("clock_ahead", object, `${since} Until this is resolved, nothing is deleted by age.`);
  }

  async #compareClocks(findings: Findings): Promise<void> {
    findings.begin("clock_differs");
    const offsetMs = await this.deps.findClockOffset();
    if (offsetMs === undefined || !isNoted(offsetMs)) return;
    const object = { kind: "clock", id: "clock", name: "clock" } as const;
    findings.add("clock_differs", object, describeOffset(offsetMs));
  }

  async #checkRetention(findings: Findings): Promise<void> {
    findings.begin("overdue_readers");
    const { events, eventRetentionDays: days, clock } = this.deps;
    if (days === undefined) return;
    const before = clock.now() - (days + OVERDUE_DAYS) * DAY;
    const [oldest] = await events.listWithReader(before, { downloadedAt: 0, id: 0 }, 1);
    if (!oldest) return;
    const object = { kind: "events", id: String(oldest.id), name: isoTime(oldest.downloadedAt) } as const;
    const since = `An event of ${isoTime(oldest.downloadedAt)} still has a contact or an address`;
    findings.add("overdue_readers", object, `${since}, although EVENT_RETENTION_DAYS is ${days}.`);
  }

  async #checkUnwritten(findings: Findings): Promise<void> {
    findings.begin("unwritten_redemptions");
    const { waiting, since, dropped } = await this.deps.readUnwritten();
    const object = (name: string) => ({ kind: "events", id: "", name }) as const;
    if (waiting > 0 && since !== undefined)
      findings.add(
        "unwritten_redemptions",
        object("waiting"),
        `${waiting} delivered downloads, since ${isoTime(since)}, wait to be recorded as redeemed.`,
      );
    if (dropped)
      findings.add(
        "unwritten_redemptions",
        object("dropped"),
        `${dropped.count} delivered downloads, the last of them given up at ${isoTime(dropped.at)}, are not recorded as redeemed.`,
      );
  }

  /**
   * The image libraries are loaded when the first cover is requested; administrators should learn of a problem before
   * readers do.
   */
  async #checkImages(findings: Findings): Promise<void> {
    findings.begin("images_unavailable");
    const error = await this.deps.images.findError();
    if (error === undefined) return;
    const object = { kind: "images", id: "images", name: "covers and favicon" } as const;
    findings.add("images_unavailable", object, `Images can't be created: ${error}`);
  }
}

/** Of the last requests: enough to see readers of an office or a school, and read in a moment. */
const RECENT_ADDRESSES = 5000;

interface TrustedReadersDeps {
  events: Pick<EventsRepository, "listRecentAddresses">;
  /** A number of hops, or ranges. */
  trustProxy: number | readonly string[];
}

/**
 * Finds readers in the ranges of proxies that TRUST_PROXY trusts: what they write into X-Forwarded-For is believed. Hops don't
 * depend on addresses. Addresses that aren't stored can't be found.
 */
async function checkTrustedReaders(
  findings: Findings,
  { events, trustProxy }: TrustedReadersDeps,
): Promise<void> {
  findings.begin("trusted_readers");
  if (typeof trustProxy === "number") return;
  const addresses = await events.listRecentAddresses(RECENT_ADDRESSES);
  for (const range of trustProxy.map(parseTrustedRange)) {
    const message = describeRange(range, addresses);
    if (message === undefined) continue;
    findings.add("trusted_readers", { kind: "setting", id: "TRUST_PROXY", name: range.text }, message);
  }
}

function describeRange(
  { text, isTooWide, contains }: TrustedRange,
  addresses: readonly string[],
): string | undefined {
  if (isTooWide) return `TRUST_PROXY trusts ${text}, which contains the addresses of readers.`;
  const readers = addresses.filter(contains).length;
  if (readers === 0) return undefined;
  return `TRUST_PROXY trusts ${text}, and ${readers} of the last ${addresses.length} requested downloads came from there.`;
}
