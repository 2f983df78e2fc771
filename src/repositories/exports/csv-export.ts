/** What is exported as CSV: a long table, read a stretch at a time. */
import type { CsvFormat } from "../../lib/csv.ts";

/** The rows that come after one, up to another; open where none is named. */
export interface RowRange<Place> {
  after: Place | undefined;
  upTo: Place | undefined;
}

/** How records are written. */
export interface RecordsFormat extends CsvFormat {
  /** IANA name of the zone in which times are; UTC without one. */
  timezone?: string | undefined;
}

export interface CsvExport<Filter, Place> {
  /** The last of the next `count` rows, however few of them the filter leaves; undefined when there are fewer. */
  lastOfNext(count: number, filter: Filter, after: Place | undefined): Promise<Place | undefined>;
  /** The rows that the filter leaves of a stretch, as records in UTF-8. */
  records(filter: Filter, range: RowRange<Place>, format: RecordsFormat): Promise<ArrayBuffer>;
}
