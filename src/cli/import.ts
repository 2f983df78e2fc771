/** `import <folder>`: imports a folder of books into the configured service, or over HTTP into another. */
import { z } from "zod";
import { AdminClient } from "../adapters/admin-client.ts";
import { CoverImages } from "../adapters/images/cover-images.ts";
import { type Config, readClientSecrets, readConfig } from "../config.ts";
import { InstallationError } from "../db/assert-installation.ts";
import { assertCurrent, ifFound, nameDatabase, openExisting } from "../db/open-database.ts";
import { lockDataDir } from "../db/sqlite/data-dir.ts";
import { OperatorError } from "../errors.ts";
import { DirectTarget } from "../operation/transfer/direct-target.ts";
import { EmptyTarget } from "../operation/transfer/empty-target.ts";
import { findCoverError } from "../operation/transfer/explain-error.ts";
import { LibraryImport } from "../operation/transfer/import.ts";
import { explainMissingLanguages } from "../operation/transfer/language-codes.ts";
import { readNamedFile } from "../operation/transfer/local-files.ts";
import { MetadataReader } from "../operation/transfer/metadata/metadata-reader.ts";
import { readLibrary } from "../operation/transfer/open-source.ts";
import { RemoteImport } from "../operation/transfer/remote/remote-import.ts";
import { readSentFolder } from "../operation/transfer/remote/sent-folder.ts";
import {
  formatFailures,
  formatNewForReaders,
  importSummary,
  importTable,
} from "../operation/transfer/report.ts";
import { describeBook, describeReport, type Reported } from "../operation/transfer/reported.ts";
import type { Target } from "../operation/transfer/target.ts";
import { languageCodeOrName } from "../operation/transfer/written-language.ts";
import { GROUPINGS } from "../schemas/import-rules.schemas.ts";
import { type Call, EX_USAGE } from "./command.ts";
import { withHiddenInput } from "./hidden-input.ts";
import { createProgress } from "./progress.ts";
import { withContainer } from "./with-container.ts";

const flag = z.boolean().default(false);
const importOptions = z.object({
  catalogue: z.string().optional(),
  group: z.enum(GROUPINGS, { error: `--group must be one of ${GROUPINGS.join(", ")}.` }).default("auto"),
  language: languageCodeOrName("--language ").optional(),
  dryRun: flag,
  overwrite: flag,
  sameBook: flag,
  archived: flag,
  keepKnown: flag,
  server: z.url({ protocol: /^https?$/, error: "--server must be an http or https URL." }).optional(),
  apiKeyFile: z.string().optional(),
  email: z.string().optional(),
  insecure: flag,
  languagesOnly: flag,
  ignoreUnknownColumns: flag,
});
type ImportOptions = z.output<typeof importOptions>;

export async function importFolder({ args: [folder = ""], options: given }: Call): Promise<number> {
  const parsed = importOptions.safeParse(given);
  const problem = parsed.success ? findContradiction(parsed.data) : parsed.error.issues[0]?.message;
  if (!parsed.success || problem !== undefined) {
    process.stderr.write(`${problem}\n`);
    return EX_USAGE;
  }
  const { data: options } = parsed;
  return options.server === undefined
    ? importDirectly(folder, options)
    : importRemotely(folder, options, new URL(options.server));
}

function findContradiction({ server, apiKeyFile, email, insecure }: ImportOptions): string | undefined {
  const isRemote = apiKeyFile !== undefined || email !== undefined || insecure;
  if (server === undefined)
    return isRemote ? "--api-key-file, --email and --insecure need --server." : undefined;
  if (apiKeyFile !== undefined && email !== undefined) return "Use either --api-key-file or --email.";
  const { protocol, hostname } = new URL(server);
  const isSafe = protocol === "https:" || LOOPBACK.test(hostname) || insecure;
  return isSafe
    ? undefined
    : "Over http, everybody on the way can read the credential. Use https, or --insecure.";
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** @throws InstallationError if a server is running on the data folder */
async function importDirectly(folder: string, options: ImportOptions): Promise<number> {
  const config = readConfig();
  const importHere = () =>
    withContainer(config, (container) => {
      process.stderr.write(`Importing into ${nameDatabase(config)}.\n`);
      const target = new DirectTarget({ ...container, maxUploadBytes: config.maxUploadBytes });
      return importInto(target, folder, options, container.images);
    });
  if (options.dryRun) {
    if (await hasCurrentDatabase(config)) return importHere();
    process.stderr.write(`Importing into ${nameDatabase(config)}.\n`);
    return importInto(new EmptyTarget(), folder, options);
  }
  using _lock = lockOrExplain(config.dataDir);
  return await importHere();
}

/**
 * False before the first start: a dry run creates neither data folder nor database. It migrates none, either.
 * @throws 409 `database_older`
 */
async function hasCurrentDatabase(config: Config): Promise<boolean> {
  await using database = await ifFound(openExisting(config));
  if (!database || (await database.readMigrations()).length === 0) return false;
  await assertCurrent(database);
  return true;
}

function lockOrExplain(dataDir: string): Disposable {
  try {
    return lockDataDir(dataDir);
  } catch (error) {
    if (!(error instanceof InstallationError && error.code === "data_dir_in_use")) throw error;
    throw new OperatorError(
      `A server or another import is running on ${dataDir} (DATA_DIR). Stop it, or import over HTTP with --server.`,
    );
  }
}

async function importInto(
  target: Target,
  folder: string,
  options: ImportOptions,
  images = new CoverImages(),
): Promise<number> {
  const { dryRun: isDryRun, languagesOnly: onlyLanguages } = options;
  const languagesCommand = formatLanguagesCommand(folder, options);
  using progress = createProgress(process.stderr);
  const reader = new MetadataReader({ images });
  try {
    const run = new LibraryImport(
      { target, reader, progress, findCoverError: (cover) => findCoverError(cover, images) },
      {
        isDryRun,
        overwrites: options.overwrite,
        isSameBook: options.sameBook,
        keepsKnown: options.keepKnown,
        archives: options.archived,
        announce: (newBooks) => say(formatNewForReaders(newBooks.map(describeBook), options.archived)),
        onlyLanguages,
        languagesCommand,
      },
    );
    const source = {
      folder,
      catalogue: options.catalogue,
      grouping: options.group,
      languageCode: options.language,
      keepsKnown: options.keepKnown,
      ignoresUnknownColumns: options.ignoreUnknownColumns,
    };
    const report = await run.run((deps) => readLibrary(source, deps));
    print(describeReport(report), options);
    if (isDryRun && report.languages.length > 0 && !target.createsLanguages)
      throw new OperatorError(explainMissingLanguages(report.languages, languagesCommand));
    return exitCodeOf(describeReport(report));
  } finally {
    await reader.close();
    await images.close();
  }
}

/** Beside the report, which programs may read. */
const say = (lines: readonly string[]): void => {
  for (const line of lines) process.stderr.write(`${line}\n`);
};

const exitCodeOf = ({ failures, books }: Reported): number =>
  failures.length === 0 && !books.some(({ status }) => status === "unsure") ? 0 : 1;

/** The service plans, writes, and goes on by itself. */
async function importRemotely(folder: string, options: ImportOptions, server: URL): Promise<number> {
  const { client, createsLanguages } = await openClient(options, server);
  const { archived, dryRun: isDryRun } = options;
  const languagesCommand = formatLanguagesCommand(folder, options);
  using progress = createProgress(process.stderr);
  const run = new RemoteImport(
    { client, progress, say: (line) => say([line]) },
    {
      rules: {
        grouping: options.group,
        languageCode: options.language,
        overwrite: options.overwrite,
        sameBook: options.sameBook,
        keepKnown: options.keepKnown,
      },
      ignoreUnknownColumns: options.ignoreUnknownColumns,
      archived,
      isDryRun,
      onlyLanguages: options.languagesOnly,
      createsLanguages,
      languagesCommand,
      announce: ({ books }) => formatNewForReaders(books, archived),
    },
  );
  const report = await run.run(await readSentFolder({ folder, catalogue: options.catalogue }, progress));
  print(report, options);
  if (isDryRun && report.languages.length > 0 && !createsLanguages)
    throw new OperatorError(explainMissingLanguages(report.languages, languagesCommand));
  return exitCodeOf(report);
}

function print(report: Reported, { archived: archives, dryRun, languagesOnly }: ImportOptions): void {
  if (dryRun) process.stdout.write(importTable(report, { archives }));
  say(formatFailures(report.failures));
  const isComplete = languagesOnly && report.languages.length === 0;
  process.stdout.write(isComplete ? "No language is missing.\n" : importSummary(report, dryRun));
}

/** The same import as an editor, who can create languages, and without anything else. */
function formatLanguagesCommand(folder: string, options: ImportOptions): string {
  const { dryRun, overwrite, sameBook, archived, apiKeyFile, email, languagesOnly, ...kept } = options;
  const flags = Object.entries(kept).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return value === true ? [flag] : [flag, quoteArgument(value)];
  });
  return ["npx bookdist import", quoteArgument(folder), ...flags, "--languages-only --email <address>"].join(
    " ",
  );
}

/** In double quotes, which the shells of all systems know, unless the shells of Unix expand something of the text in them. */
function quoteArgument(text: string): string {
  if (/^[\w~@:/.\\-]+$/.test(text)) return text;
  return /["$`!]/.test(text) ? `'${text.replaceAll("'", String.raw`'\''`)}'` : `"${text}"`;
}

/** Reads the API key, or logs in. */
async function openClient({ email, apiKeyFile }: ImportOptions, server: URL) {
  const { apiKey: inEnvironment, password } = readClientSecrets();
  if (email !== undefined) {
    const client = await AdminClient.logIn(server, email, password ?? (await askPassword(email)));
    return { client, createsLanguages: true };
  }
  const inFile = apiKeyFile && (await readNamedFile(apiKeyFile, MAX_KEY_BYTES)).toString("utf8").trim();
  const apiKey = inFile ?? inEnvironment;
  if (!apiKey) throw new OperatorError("Set BOOKDIST_API_KEY, or use --api-key-file or --email.");
  return { client: AdminClient.withKey(server, apiKey), createsLanguages: false };
}

const MAX_KEY_BYTES = 1024;

function askPassword(email: string): Promise<string> {
  if (process.stdin.isTTY) return withHiddenInput((ask) => ask(`Password of ${email}: `));
  throw new OperatorError(
    "Set BOOKDIST_PASSWORD, or run the command in a terminal, which asks for the password.",
  );
}
