/** What files and covers had before: kept for a while, brought back, or removed for good. */
import { notFound } from "../../errors.ts";
import { DAY, isoTime } from "../../lib/time.ts";
import type { Author } from "../../repositories/change.ts";
import type { Repositories } from "../../repositories/index.ts";
import type { ReplacedOf, ReplacedRow } from "../../repositories/replaced-bytes.repository.ts";
import type { ReplacedContent } from "../../schemas/replaced-contents.schemas.ts";
import { type CatalogueDeps, Service } from "../shared/service.ts";
import type { ReleasedBytes } from "./released-bytes.ts";
import { RELEASED_FOR_MS } from "./removals.ts";

interface ReplacedContentsDeps extends Pick<CatalogueDeps, "reads" | "write" | "newId" | "clock"> {
  released: Pick<ReleasedBytes, "removeNow">;
  /** 0: not at all. */
  replacedFilesDays: number;
}

/** What a place has at a moment; a link to a cloud has no bytes. */
type Content = Pick<ReplacedRow, "fileName" | "fileSizeBytes"> & { sha256: string | null } & Partial<
    Pick<ReplacedRow, "contentType" | "width" | "height">
  >;

/** Of a place. The oldest go first. */
const KEPT_AT_MOST = 5;

export class ReplacedContents extends Service<ReplacedContentsDeps> {
  /** Call this in the transaction that gives a place the bytes `sha256`. */
  async keepFormer(
    { replacedBytes, releasedBytes }: Repositories,
    by: Author,
    { place, former, sha256 }: { place: ReplacedOf; former: Content; sha256: string },
  ): Promise<void> {
    const { newId, clock, replacedFilesDays } = this.deps;
    if (former.sha256 === null || former.sha256 === sha256) return;
    const now = clock.now();
    if (replacedFilesDays === 0) return releasedBytes.release([former.sha256], now);
    const { fileName, fileSizeBytes, contentType = null, width = null, height = null } = former;
    await replacedBytes.put({
      id: newId(),
      fileId: null,
      coverId: null,
      ...place,
      ...{ sha256: former.sha256, fileName, fileSizeBytes, contentType, width, height },
      replacedAt: now,
      replacedBy: by.name,
      keptUntil: now + replacedFilesDays * DAY,
    });
  }

  /** Call this after that transaction. @returns what the place had before */
  async settle(place: ReplacedOf, former: Content | undefined): Promise<ReplacedRow[]> {
    const { reads, write, released, clock, replacedFilesDays } = this.deps;
    if (former && replacedFilesDays === 0) await released.removeNow([former.sha256]);
    const replaced = await reads.replacedBytes.listOf(place);
    const surplus = replaced.slice(KEPT_AT_MOST).map(({ id }) => id);
    if (surplus.length > 0) {
      const dueAt = clock.now() + RELEASED_FOR_MS;
      await write(async ({ replacedBytes, releasedBytes }) =>
        releasedBytes.release(await replacedBytes.deleteAll(surplus), dueAt),
      );
    }
    return replaced;
  }

  /**
   * Call this in a transaction, and `removeNow` after it.
   * @throws AppError 404 `replaced_not_found`, also for what the place has now
   */
  async release(
    { replacedBytes, releasedBytes }: Repositories,
    place: ReplacedOf,
    sha256: string,
  ): Promise<ReplacedRow> {
    const row = (await replacedBytes.listOf(place)).find((each) => each.sha256 === sha256);
    if (!row) throw notFound("replaced_not_found", "There was no content with this SHA-256 at this place.");
    await replacedBytes.deleteAll([row.id]);
    await releasedBytes.release([sha256], this.deps.clock.now());
    return row;
  }
}

/** @param rows newest first @returns what a file or a cover with an id had before, newest first */
export function groupReplaced(rows: readonly ReplacedRow[]): (id: string) => ReplacedContent[] {
  const byPlace = Map.groupBy(rows, ({ fileId, coverId }) => fileId ?? coverId);
  return (id) =>
    (byPlace.get(id) ?? []).slice(0, KEPT_AT_MOST).map((row) => ({
      sha256: row.sha256,
      fileName: row.fileName,
      fileSizeBytes: row.fileSizeBytes,
      replacedAt: isoTime(row.replacedAt),
      replacedBy: row.replacedBy,
      until: isoTime(row.keptUntil),
    }));
}
