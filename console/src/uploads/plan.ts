/** Asks the service which books the files of a folder are, once they are collected. */
import { queryOptions } from "@tanstack/react-query";
import { api, longWork, receive } from "../api/client.ts";
import { PATIENCE, retryQuery } from "../api/retry.ts";
import { collect } from "./collecting.ts";
import type { Plan } from "./drafts.ts";
import { describeImport, type ImportRequest, type PlannedFile } from "./import-body.ts";
import type { Queue } from "./queue.ts";
import { sendAgain } from "./upload-store.ts";

/** All files that the service knows, each path once: also what is stored already says which book others belong to. */
export function listPlanned(queue: Queue): PlannedFile[] {
  const files = new Map<string, string>();
  for (const { path, sha256, places, recognised } of queue)
    if (sha256 !== undefined && (places.length > 0 || recognised)) files.set(path, sha256);
  return [...files].map(([path, sha256]) => ({ path, sha256 }));
}

async function requestPlan(request: ImportRequest, signal: AbortSignal | undefined): Promise<Plan> {
  const { root, body } = await describeImport(request);
  const sent = new Set(body.files.map(({ path }) => path));
  const plan = await receive(
    api.POST("/api/admin/imports/plans", { body, ...(signal && { signal }), ...longWork }),
  );
  return restorePaths(plan, root, sent);
}

/** As the queue has them. What else is left out is a place in the catalogue. */
function restorePaths(plan: Plan, root: string, sent: ReadonlySet<string>): Plan {
  const restore = <T extends { path: string }>(parts: readonly T[]): T[] =>
    parts.map((part) => ({ ...part, path: root + part.path }));
  return {
    ...plan,
    leftOut: plan.leftOut
      .filter(({ code }) => code !== "catalogue")
      .map(({ by, ...each }) => ({
        ...each,
        path: sent.has(each.path) ? root + each.path : each.path,
        ...(by !== undefined && { by: root + by }),
      })),
    books: plan.books.map((book) => ({
      ...book,
      files: restore(book.files).map(({ knownAs, ...file }) => ({
        ...file,
        ...(knownAs && {
          knownAs: knownAs.map((each) => ("path" in each ? { path: root + each.path } : each)),
        }),
      })),
      covers: restore(book.covers),
    })),
  };
}

/** What the service has dropped since the files were looked up is sent again first. */
export async function planWhatIsThere(request: ImportRequest, signal?: AbortSignal): Promise<Plan> {
  const { missing } = await collect({ ...request, corrections: [], cells: [] });
  const lost = request.files.flatMap(({ path, sha256 }) => (missing.has(sha256) ? path : []));
  await sendAgain(lost);
  return requestPlan(request, signal);
}

const writePlanned = ({ sha256, path }: PlannedFile): string => `${sha256} ${path}`;

export const planQuery = (request: ImportRequest) => {
  const { files, corrections, catalogue, ignoresColumns, cells } = request;
  return queryOptions({
    queryKey: [
      "import plan",
      // One text: thousands of objects would be written anew with each change of the queue, which takes long.
      files.map(writePlanned).join("\n"),
      corrections,
      catalogue?.id,
      ignoresColumns,
      cells,
    ],
    queryFn: ({ signal }) => planWhatIsThere(request, signal),
    // A user may have two plans at once, and that of a page that was left ends a moment later.
    ...retryQuery(PATIENCE.preparation),
    // It changes when an import has ended.
    staleTime: Number.POSITIVE_INFINITY,
  });
};
