/** Asks the service which books the files of a folder are. */
import { queryOptions } from "@tanstack/react-query";
import { api, isPassing, longWork, Problem, receive, type Schemas } from "../api/client.ts";
import { sendForm } from "../api/send-form.ts";
import type { CatalogueFile } from "./catalogues.ts";
import type { Plan } from "./drafts.ts";
import { hashFile } from "./hash-file.ts";
import { findRoot } from "./plan-root.ts";
import type { Queue } from "./queue.ts";
import { sendAgain } from "./upload-store.ts";

/** What one plan takes. */
const MAX_FILES = 10_000;
/** Of so many books one plan has the texts. */
export const MAX_DETAILED = 50;

export interface PlannedFile {
  path: string;
  sha256: string;
}

type Correction = Schemas["ImportCorrection"] & { path: string };

export interface PlanRequest {
  files: readonly PlannedFile[];
  /** What the service has to know to plan: other corrections are made of its plan. */
  corrections: readonly Correction[];
  catalogue: CatalogueFile | undefined;
  ignoresColumns: boolean;
}

/** All files that the service knows, each path once: also what is stored already says which book others belong to. */
export function listPlanned(queue: Queue): PlannedFile[] {
  const files = new Map<string, string>();
  for (const { path, sha256, places, recognised } of queue)
    if (sha256 !== undefined && (places.length > 0 || recognised)) files.set(path, sha256);
  return [...files].slice(0, MAX_FILES).map(([path, sha256]) => ({ path, sha256 }));
}

/** Of files that are stored although they are known, and of books that are a known one, or another. */
export const listCorrections = (queue: Queue): Correction[] =>
  queue.flatMap(({ path, edit: { keepsKnown, answer } }) =>
    keepsKnown || answer
      ? {
          path,
          ...(keepsKnown && { leaveOut: false }),
          ...(answer && { book: answer.isSame ? answer.bookId : "new" }),
        }
      : [],
  );

/** Each is read once. */
const hashes = new WeakMap<File, Promise<string>>();

function hashOnce({ id, file }: CatalogueFile): Promise<string> {
  const known = hashes.get(file) ?? hashFile(id, file, () => undefined);
  hashes.set(file, known);
  known.catch(() => hashes.delete(file));
  return known;
}

const isUnknown = (error: unknown): boolean => error instanceof Problem && error.code === "content_unknown";

/** The service has the catalogue for an hour: it is sent when it doesn't have it. */
export async function requestPlan(
  { files, corrections, catalogue, ignoresColumns }: PlanRequest,
  detailsOf: readonly string[] = [],
): Promise<Plan> {
  const root = findRoot([...files, ...(catalogue ? [{ path: catalogue.name }] : [])].map(({ path }) => path));
  const described = catalogue && {
    name: catalogue.name.slice(root.length),
    sha256: await hashOnce(catalogue),
    ignoreUnknownColumns: ignoresColumns,
  };
  const inRoot = files.map(({ path, sha256 }) => ({ path: path.slice(root.length), sha256 }));
  const body = {
    files: inRoot,
    detailsOf: [...detailsOf],
    ...(corrections.length > 0 && {
      corrections: corrections.map(({ path, ...each }) => ({ ...each, path: path.slice(root.length) })),
    }),
    ...(described && { catalogue: described }),
  };
  const sent = new Set([...inRoot.map(({ path }) => path), described?.name ?? ""]);
  const request = async () =>
    restorePaths(await receive(api.POST("/api/admin/imports/plans", { body, ...longWork })), root, sent);
  try {
    return await request();
  } catch (error) {
    if (!catalogue || !isUnknown(error)) throw error;
  }
  const form = new FormData();
  form.set("file", catalogue.file);
  await sendForm("POST", "/api/admin/files/examine", form, () => undefined);
  return request();
}

/** As the queue has them. What else is left out is a place in the catalogue. */
function restorePaths(plan: Plan, root: string, sent: ReadonlySet<string>): Plan {
  if (root === "") return plan;
  const restore = <T extends { path: string }>(parts: readonly T[]): T[] =>
    parts.map((part) => ({ ...part, path: root + part.path }));
  return {
    ...plan,
    leftOut: plan.leftOut.map(({ by, ...each }) => ({
      ...each,
      path: sent.has(each.path) ? root + each.path : each.path,
      ...(by !== undefined && { by: root + by }),
    })),
    books: plan.books.map(({ details, ...book }) => ({
      ...book,
      files: restore(book.files).map(({ knownAs, ...file }) => ({
        ...file,
        ...(knownAs && {
          knownAs: knownAs.map((each) => ("path" in each ? { path: root + each.path } : each)),
        }),
      })),
      covers: restore(book.covers),
      ...(details && { details: { ...details, coversInFiles: restore(details.coversInFiles) } }),
    })),
  };
}

/** What the service has dropped since the files were looked up is sent again first. */
async function planWhatIsThere(request: PlanRequest): Promise<Plan> {
  const plan = await requestPlan(request);
  const lost = plan.leftOut.flatMap(({ path, code }) => (code === "content_unknown" ? path : []));
  return (await sendAgain(lost)) ? requestPlan(request) : plan;
}

const writePlanned = ({ sha256, path }: PlannedFile): string => `${sha256} ${path}`;

/** A user may have two plans at once, and that of a page that was left ends a moment later. */
const isInTurn = (error: Error): error is Problem => error instanceof Problem && error.status === 429;

/** To wait for one's turn is no failure. */
const patient = {
  retry: (count: number, error: Error) => isInTurn(error) || (count < 2 && isPassing(error)),
  retryDelay: (count: number, error: Error) =>
    isInTurn(error) ? (error.retryAfter ?? 1) * 1000 : Math.min(1000 * 2 ** count, 30_000),
};

/** @param version of what the service has */
export const planQuery = (request: PlanRequest, version: number) => {
  const { files, corrections, catalogue, ignoresColumns } = request;
  return queryOptions({
    queryKey: [
      "import plan",
      // One text: thousands of objects would be written anew with each change of the queue, which takes long.
      files.map(writePlanned).join("\n"),
      corrections,
      catalogue?.id,
      ignoresColumns,
      version,
    ],
    queryFn: () => planWhatIsThere(request),
    ...patient,
    // It changes nothing while files are stored.
    staleTime: Number.POSITIVE_INFINITY,
  });
};
