/** Asks the service which books the files of a folder are. */
import { queryOptions } from "@tanstack/react-query";
import { api, longWork, receive } from "../api/client.ts";
import type { Plan } from "./drafts.ts";
import type { Queue } from "./queue.ts";

/** A file that describes the books of a folder. */
export interface Catalogue {
  name: string;
  text: string;
}

export const isCatalogue = (path: string): boolean => /(^|\/)catalogue\.(json|csv)$/i.test(path);

/** What one plan takes. */
const MAX_FILES = 10_000;

export interface PlannedFile {
  path: string;
  sha256: string;
}

/** All files that the service knows, each path once: also what is stored already says which book others belong to. */
export function listPlanned(queue: Queue): PlannedFile[] {
  const files = new Map<string, string>();
  for (const { path, sha256, places, recognised } of queue)
    if (sha256 !== undefined && (places.length > 0 || recognised)) files.set(path, sha256);
  return [...files].slice(0, MAX_FILES).map(([path, sha256]) => ({ path, sha256 }));
}

export const planQuery = (files: readonly PlannedFile[], catalogue: Catalogue | undefined) =>
  queryOptions({
    queryKey: ["import plan", files, catalogue],
    queryFn: (): Promise<Plan> =>
      receive(
        api.POST("/api/admin/imports/plans", {
          body: { files: [...files], ...(catalogue && { catalogue }) },
          ...longWork,
        }),
      ),
    // It changes nothing while files are stored.
    staleTime: Number.POSITIVE_INFINITY,
  });
