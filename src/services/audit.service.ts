/** Lists the audit log, and records exports and disclosures, which change no data. */
import type { Clock } from "../adapters/system.ts";
import { formatZonedTime } from "../lib/calendar.ts";
import { isoTime } from "../lib/time.ts";
import type { AuditFilter, AuditRepository, AuditRow } from "../repositories/audit.repository.ts";
import type { Author, Change } from "../repositories/change.ts";
import type { ChangeRecords } from "../repositories/index.ts";
import {
  ACTOR_KINDS,
  AUDIT_ACTIONS,
  AUDIT_COLUMNS,
  AUDIT_OBJECT_KINDS,
  type AuditEntry,
  type AuditExportQuery,
  type AuditQuery,
  auditChanges,
} from "../schemas/audit.schemas.ts";
import { offsetOf, type Pagination, paginationOf } from "../schemas/queries.ts";
import { readPages } from "./shared/export-pages.ts";
import {
  type CsvCell,
  type CsvDocument,
  type CsvPage,
  csvOptionsOf,
  formatExportName,
} from "./shared/results.ts";
import { Service } from "./shared/service.ts";
import { parseWord } from "./shared/stored-values.ts";

type ExportedKind = "contact" | "downloadEvent" | "auditLog";

/** Query parameters that only control the format of the export. */
const FORMAT_PARAMETERS = new Set(["bom", "raw", "delimiter", "timezone", "format"]);

interface Zoned {
  timezone?: string | undefined;
}

/** Rows of an export read per statement. */
const PAGE_ROWS = 100;

interface AuditServiceDeps {
  clock: Clock;
  /** On a worker thread, because the log can be long. */
  audit: AuditRepository;
  change: ChangeRecords;
}

export class AuditService extends Service<AuditServiceDeps> {
  /**
   * Records an export of personal data before any of it is sent. Only the names of filters are recorded, because their
   * values can be personal data.
   * @returns the document, unchanged
   */
  async recordExport(
    by: Author,
    kind: ExportedKind,
    document: CsvDocument,
    query: object,
  ): Promise<CsvDocument> {
    const filters = Object.entries(query).flatMap(([name, value]) =>
      value === undefined || value === false || FORMAT_PARAMETERS.has(name) ? [] : [name],
    );
    const object = { kind, id: "", name: document.fileName };
    await this.#record(by, { action: "export", object, after: { filters } });
    return document;
  }

  /** Records that all data about a person was disclosed. */
  recordDisclosure(by: Author, contactId: string): Promise<void> {
    const object = { kind: "contact", id: contactId, name: contactId } as const;
    return this.#record(by, { action: "disclose", object });
  }

  #record(by: Author, change: Change): Promise<void> {
    return this.deps.change(by, async () => ({ response: undefined, change }));
  }

  /** Newest entry first. */
  async list(query: AuditQuery): Promise<{ entries: AuditEntry[]; pagination: Pagination }> {
    const rows = await this.deps.audit.list(query, { limit: query.limit, offset: offsetOf(query) });
    return {
      entries: rows.map((row) => presentEntry(row)),
      pagination: paginationOf(query, await this.deps.audit.count(query)),
    };
  }

  export(query: AuditExportQuery): CsvDocument {
    return {
      fileName: formatExportName("audit-log", query, this.deps.clock.now()),
      columns: AUDIT_COLUMNS,
      pages: this.#readPages(query),
      ...csvOptionsOf(query),
    };
  }

  async *#readPages({ timezone, ...filter }: AuditFilter & Zoned): AsyncGenerator<CsvPage, void> {
    const pages = readPages<AuditRow>(PAGE_ROWS, (last) =>
      last
        ? this.deps.audit.listAfter(filter, last, PAGE_ROWS)
        : this.deps.audit.list(filter, { limit: PAGE_ROWS, offset: 0 }),
    );
    for await (const rows of pages) {
      yield rows.map((row) => formatCells(presentEntry(row, (time) => formatZonedTime(time, timezone))));
    }
  }
}

const presentEntry = (row: AuditRow, timeText = isoTime): AuditEntry => ({
  ...row,
  id: String(row.id),
  at: timeText(row.at),
  actorKind: parseWord(ACTOR_KINDS, row.actorKind),
  action: parseWord(AUDIT_ACTIONS, row.action),
  objectKind: parseWord(AUDIT_OBJECT_KINDS, row.objectKind),
  changes: presentChanges(row.changes, timeText),
});

/** Stored changes hold column values; times are converted to the format of the API. */
function presentChanges(stored: string, timeText: typeof isoTime): AuditEntry["changes"] {
  const changes = Object.entries(auditChanges.parse(JSON.parse(stored)));
  const withTimes = (sides: object) =>
    Object.fromEntries(
      Object.entries(sides).map(([side, value]) => [
        side,
        typeof value === "number" ? timeText(value) : value,
      ]),
    );
  return Object.fromEntries(
    changes.map(([field, sides]) => [field, field.endsWith("At") ? withTimes(sides) : sides]),
  );
}

const formatCells = (entry: AuditEntry): CsvCell[] => {
  const cells = { ...entry, changes: JSON.stringify(entry.changes) };
  return AUDIT_COLUMNS.map((column) => cells[column]);
};
