/** Imports a folder into a running service, which plans, writes and goes on by itself: this sends the bytes and follows. */
import pLimit from "p-limit";
import { z } from "zod";
import {
  type AdminClient,
  RequestRejectedError,
  TooManyRequestsError,
  UnreachableError,
} from "../../../adapters/admin-client.ts";
import { pause } from "../../../adapters/system.ts";
import { OperatorError } from "../../../errors.ts";
import { refusalOf } from "../../../lib/node-errors.ts";
import type { ImportRules } from "../../../schemas/import-rules.schemas.ts";
import { importResult } from "../../../schemas/import-runs.schemas.ts";
import { type ImportPlan, importPlan } from "../../../schemas/imports.schemas.ts";
import type { Progress } from "../../progress.ts";
import { explainMissingLanguages } from "../language-codes.ts";
import type { Failure } from "../library.ts";
import { UnusableFileError } from "../local-files.ts";
import type { Reported } from "../reported.ts";
import { describePlanned, describeRun } from "./describe-remote.ts";
import type { SentFile, SentFolder } from "./sent-folder.ts";

const IMPORTS = "/api/admin/imports";
const EXAMINE = "/api/admin/files/examine";
const LANGUAGES = "/api/admin/languages";

/** The service examines as many at once for a user. */
const SENT_AT_ONCE = 2;
const POLL_MS = 1000;
/** How long a service that can't be reached, or is busy with other files of the user, is tried again. */
const TRIED_FOR_MS = 60_000;

const importRun = z.object({
  id: z.string(),
  state: z.string(),
  missing: z.array(z.string()),
  progress: z.object({ files: z.number() }),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  undoDays: z.number(),
  result: importResult.nullable(),
});
type ImportRun = z.infer<typeof importRun>;

const languages = z.object({ languages: z.array(z.object({ id: z.number(), code: z.string() })) });

interface RemoteImportDeps {
  client: AdminClient;
  progress: Progress;
  /** Shows a line beside the report. */
  say(line: string): void;
  /** Between two looks at an import that runs. */
  pollMs?: number;
}

interface RemoteImportOptions {
  rules: ImportRules;
  ignoreUnknownColumns: boolean;
  archived: boolean;
  isDryRun: boolean;
  onlyLanguages: boolean;
  /** False for an API key. */
  createsLanguages: boolean;
  /** The command that creates missing languages, for a credential that can't. */
  languagesCommand: string;
  /** What is said before the start. */
  announce(planned: Reported): readonly string[];
}

interface Collected {
  run: ImportRun;
  plan: ImportPlan;
  failures: readonly Failure[];
}

export class RemoteImport {
  readonly #deps: RemoteImportDeps;
  readonly #options: RemoteImportOptions;

  constructor(deps: RemoteImportDeps, options: RemoteImportOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  /** @throws OperatorError if languages are missing that the credential can't create, or the import can't go on */
  async run(folder: SentFolder): Promise<Reported> {
    const { isDryRun, onlyLanguages } = this.#options;
    if (folder.files.length === 0 && !folder.catalogue)
      return describePlanned(NOTHING, folder.failures, folder.notices);
    const collected = await this.#collect(folder);
    const { plan, run } = collected;
    const failures = [...folder.failures, ...collected.failures];
    const planned = describePlanned(plan, failures, folder.notices);
    if (isDryRun || onlyLanguages) {
      await this.#cancel(run.id);
      if (isDryRun) return planned;
    }
    await this.#createLanguages(plan);
    if (onlyLanguages) return { ...planned, books: [], remarks: [], failures: [], notices: [], skipped: [] };
    for (const line of this.#options.announce(planned)) this.#deps.say(line);
    const ended = await this.#carryOut(run);
    return describeRun(ended, planned, failures);
  }

  /** Makes an import, sends what it misses, and plans it. Files that can't be sent are left out. */
  async #collect(folder: SentFolder, failures: readonly Failure[] = []): Promise<Collected> {
    const unsent = new Set(failures.map(({ subject }) => subject));
    const { rules, archived, ignoreUnknownColumns } = this.#options;
    const request = {
      files: [...folder.files, ...(folder.catalogue ? [folder.catalogue] : [])].map(({ path, sha256 }) => ({
        path,
        sha256,
      })),
      ...(folder.catalogue && {
        catalogue: {
          name: folder.catalogue.path,
          sha256: folder.catalogue.sha256,
          ignoreUnknownColumns,
        },
      }),
      rules,
      corrections: [...unsent].map((path) => ({ path, leaveOut: true })),
    };
    const { client } = this.#deps;
    const run = await client.request(importRun, "POST", IMPORTS, { ...request, archived });
    try {
      const failed = await this.#send(run, folder);
      if (failed.length === 0) {
        const plan = await client.request(importPlan, "POST", `${IMPORTS}/plans`, request);
        return { run, plan, failures };
      }
      await this.#cancel(run.id);
      return await this.#collect(folder, [...failures, ...failed]);
    } catch (error) {
      // The first error counts; the import ends by itself after seven days.
      await this.#cancel(run.id).catch(() => undefined);
      throw error;
    }
  }

  /** @returns the files that can't be sent */
  async #send({ id, missing }: ImportRun, { files, catalogue }: SentFolder): Promise<Failure[]> {
    const { progress } = this.#deps;
    const places = Map.groupBy([...files, ...(catalogue ? [catalogue] : [])], ({ sha256 }) => sha256);
    const limit = pLimit(SENT_AT_ONCE);
    const failures: Failure[] = [];
    let done = 0;
    progress.begin("Sending", missing.length, () => done);
    try {
      await limit.map(missing, async (sha256) => {
        const same = places.get(sha256) ?? [];
        const [first] = same;
        const reason = first && (await this.#sendOne(id, first));
        if (reason !== undefined) {
          if (first === catalogue) throw new OperatorError(`${first?.path} can't be sent. ${reason}`);
          failures.push(...same.map(({ path: subject }) => ({ subject, reason })));
        }
        done += 1;
      });
    } finally {
      limit.clearQueue();
      progress.end();
    }
    return failures;
  }

  /** @returns why it can't be sent */
  async #sendOne(importId: string, { content }: SentFile): Promise<string | undefined> {
    const { client } = this.#deps;
    const path = `${EXAMINE}?importId=${importId}`;
    const send = () =>
      content instanceof File
        ? client.upload("POST", path, content)
        : client.uploadFile("POST", path, content);
    try {
      await tryFor(TRIED_FOR_MS, TooManyRequestsError, send);
      return undefined;
    } catch (error) {
      if (error instanceof RequestRejectedError || error instanceof UnusableFileError) return error.message;
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      return `The file can't be read: ${refusal}.`;
    }
  }

  async #createLanguages({ languages: missing }: ImportPlan): Promise<void> {
    const { createsLanguages, languagesCommand } = this.#options;
    if (missing.length === 0) return;
    const codes = missing.map(({ code }) => code).sort();
    if (!createsLanguages) throw new OperatorError(explainMissingLanguages(codes, languagesCommand));
    const { client } = this.#deps;
    for (const { parentCode, ...given } of missing) {
      const known = parentCode === null ? [] : (await client.request(languages, "GET", LANGUAGES)).languages;
      const parentId = known.find(({ code }) => code === parentCode)?.id;
      await client.request(z.unknown(), "POST", LANGUAGES, { ...given, parentId });
    }
  }

  async #carryOut({ id, undoDays }: ImportRun): Promise<ImportRun> {
    const { client, say } = this.#deps;
    await client.request(importRun, "POST", `${IMPORTS}/${id}/start`);
    const undo = undoDays === 0 ? "" : ` It can be undone for ${undoDays} days (POST ${IMPORTS}/${id}/undo).`;
    say(`Import ${id} has started, and goes on if this command is stopped.${undo}`);
    const ended = await this.#follow(id);
    const { state, error } = ended;
    if (state === "done") return ended;
    const reason = state === "cancelled" ? "It was cancelled." : (error?.message ?? state);
    throw new OperatorError(
      `The import ${id} hasn't reached its end: ${reason} Run the command again; it does what is missing.`,
    );
  }

  async #follow(id: string): Promise<ImportRun> {
    const { client, progress, pollMs = POLL_MS } = this.#deps;
    const read = () => client.request(importRun, "GET", `${IMPORTS}/${id}`);
    let run = await read();
    progress.begin("Importing", 0, () => run.progress.files);
    try {
      while (run.state === "running") {
        await pause(pollMs);
        run = await tryFor(TRIED_FOR_MS, UnreachableError, read);
      }
    } finally {
      progress.end();
    }
    return run;
  }

  async #cancel(id: string): Promise<void> {
    await this.#deps.client.request(z.unknown(), "DELETE", `${IMPORTS}/${id}`);
  }
}

const NOTHING: ImportPlan = { books: [], languages: [], leftOut: [], notices: [] };

/** Tries again while it fails with errors of a kind that pass. */
async function tryFor<T>(
  forMs: number,
  passing: new (message: string) => Error,
  work: () => Promise<T>,
): Promise<T> {
  for (let left = forMs; ; left -= POLL_MS) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof passing) || left <= 0) throw error;
      await pause(POLL_MS);
    }
  }
}
