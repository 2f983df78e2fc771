/** The table of commands: usage, help and code. */
import type { Run } from "./command.ts";

export interface CommandSpec {
  name: string;
  /** A second name. */
  alias?: string;
  summary: string;
  /** What `--help` shows in addition to the summary. */
  description?: string;
  /** As `[syntax, description]`: `<required>`, `[optional]`. */
  args?: readonly (readonly [syntax: string, description: string])[];
  options?: readonly OptionSpec[];
  /** As `[arguments, description]`. */
  examples: readonly (readonly [args: string, description: string])[];
  /** Whether it runs at a low priority, so that it doesn't slow down a server on the same machine. */
  isBackground?: boolean;
  /** With one of these options somebody waits for it: at a low priority, a busy machine may not let it connect in time. */
  urgentOptions?: readonly string[];
  /** Loads only the code that the command needs, because loading is the most expensive part on a busy machine. */
  load(): Promise<Run>;
}

interface OptionSpec {
  flags: string;
  description: string;
  /** Of an option that takes a whole number. */
  range?: readonly [least: number, most: number];
}

const json = { flags: "--json", description: "print the report as JSON, like GET /api/admin/doctor" };
const deep = "read and hash all stored bytes, and check the whole database";

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: "serve",
    alias: "start",
    summary: "Start the server.",
    description:
      "Settings come from environment variables and from .env in the working directory; .env.example explains each.",
    options: [
      {
        flags: "--accept-new-secret",
        description: "with DATABASE_URL: replace the AUTH_SECRET of the former starts",
      },
    ],
    examples: [
      ["", "start with the settings of the environment and .env"],
      ["--help", "print this help and start nothing"],
    ],
    async load() {
      const { main } = await import("../serve.ts");
      return main;
    },
  },
  {
    name: "create-admin",
    summary: "Create an administrator.",
    description: `Works with or without a running server.\n${describePassword()}`,
    args: [
      ["<email>", "the e-mail address for the log-in"],
      ["[name]", "the display name (default: the address)"],
    ],
    examples: [
      ["anna@example.org", "ask for the password, then create the account"],
      ['anna@example.org "Anna Smith" < password.txt', "read the password from a file"],
    ],
    load: async () => (await import("./accounts.ts")).createAdmin,
  },
  {
    name: "reset-password",
    summary: "Set a new password for a user.",
    description: `Works with or without a running server. Ends all sessions of the user and revokes the API keys, except those that can only submit download forms.\n${describePassword()}`,
    args: [["<email>", "the user's e-mail address"]],
    options: [{ flags: "--keep-api-keys", description: "revoke no API keys" }],
    examples: [
      ["anna@example.org", "ask for the new password"],
      ["anna@example.org --keep-api-keys", "the same, but keep the user's API keys"],
      ["anna@example.org < password.txt", "read the new password from a file"],
    ],
    load: async () => (await import("./accounts.ts")).resetPassword,
  },
  {
    name: "doctor",
    summary: "Check the database, stored files and links for inconsistencies.",
    description:
      "Changes nothing, except that --deep deletes kept ZIPs that contain a missing or changed file. Works with or without a running server. The exit code is 1 when there are errors, 0 when there are warnings at most.",
    options: [
      { flags: "--deep", description: deep },
      { flags: "--cloud", description: "request every cloud link" },
      { flags: "--trust-clock", description: "accept the clock of this machine, even if it is far ahead" },
      {
        flags: "--repair-indexes",
        description:
          "first make indexes and constraints again that the database lacks, beside a running server",
      },
      {
        flags: "--renew-texts",
        description: "first make the searched texts of books anew where they aren't those of their titles",
      },
      json,
    ],
    examples: [
      ["", "compare the database with the stored files"],
      ["--deep --cloud", "also read all stored bytes and request every cloud link"],
    ],
    isBackground: true,
    urgentOptions: ["repairIndexes", "renewTexts", "trustClock"],
    load: async () => (await import("./doctor.ts")).doctor,
  },
  {
    name: "check-data",
    summary: "Check all stored data. The same as doctor --deep.",
    options: [{ flags: "--deep", description: `${deep} (always on)` }, json],
    examples: [["", "check all data, for example after a restore"]],
    isBackground: true,
    load: async () => (await import("./doctor.ts")).checkData,
  },
  {
    name: "adopt-files",
    summary: "Make the stored files those of the database.",
    description:
      "A start is refused if the id of the service beside the files isn't the one in the database. Shows both sides, asks, and gives both a new id. Stop all instances first. Also needed after pg_restore beside a new file store, and to return to an older database.sqlite on purpose.",
    options: [{ flags: "--yes", description: "don't ask" }],
    examples: [
      ["", "show the database and the files, and ask"],
      ["--yes", "the same without the question"],
    ],
    load: async () => (await import("./adopt-files.ts")).adoptFiles,
  },
  {
    name: "sweep",
    summary: "List stored files to which no row refers, or set them aside.",
    description:
      "A start sets such files aside by itself, unless there are so many that the database or the file store may be another one. Files that are set aside are deleted after REMOVED_FILES_DAYS, and come back when they are needed. Works with or without a running server.",
    options: [{ flags: "--confirm", description: "set them aside, however many there are" }],
    examples: [
      ["", "list the files, and change nothing"],
      ["--confirm", "set them aside"],
    ],
    isBackground: true,
    load: async () => (await import("./sweep.ts")).sweep,
  },
  {
    name: "outbox",
    summary: "List what waits to be delivered to other systems and readers.",
    description:
      "Works with or without a running server. After a restore, a move or a new AUTH_SECRET, what waited before is held: another copy of the database may have delivered it.",
    options: [
      { flags: "--release", description: "deliver what is held" },
      { flags: "--drop", description: "don't deliver what is held" },
    ],
    examples: [
      ["", "list what waits, by receiver"],
      ["--drop", "after a restore, when the events were delivered before"],
    ],
    load: async () => (await import("./outbox.ts")).outbox,
  },
  {
    name: "mail-test",
    summary: "Send a test letter by the mail server of SMTP_URL.",
    description: "Sends it at once, and says whether the server has taken it, or why not.",
    args: [["<address>", "e-mail address to which the letter goes"]],
    examples: [["you@example.org", "see whether letters arrive"]],
    load: async () => (await import("./mail-test.ts")).mailTest,
  },
  {
    name: "import",
    summary: "Import a folder of books with covers and metadata.",
    description: `Reads EPUB, PDF, audio and every other accepted type, in folders such as <lang>/<slug>.epub, in one folder a book, or flat with names such as <slug>.<lang>.pdf. A catalogue.json, catalogue.csv or catalogue.xlsx in the folder, or one named by --catalogue, describes the books. Without --server, imports directly into the configured database and file store while no server runs.

A second run fills only what is empty. The exit code is 1 when files failed. docs/import.md explains it.`,
    args: [["<folder>", "the folder of books"]],
    options: [
      { flags: "--dry-run", description: "print a table of what would happen, and change nothing" },
      { flags: "--overwrite", description: "replace existing texts, files and covers that differ" },
      { flags: "--same-book", description: "import books that could be known ones as these" },
      {
        flags: "--archived",
        description: "archive new books as they are made: readers get them once restored",
      },
      { flags: "--catalogue <file>", description: "JSON, CSV or XLSX file that describes the books" },
      {
        flags: "--ignore-unknown-columns",
        description: "leave out columns of a spreadsheet that aren't known",
      },
      { flags: "--group <how>", description: "what forms a book: folder, name or auto (default)" },
      { flags: "--language <language>", description: "code or name of the language of files without one" },
      {
        flags: "--keep-known",
        description: "import also copies, and files that the service has at another place",
      },
      { flags: "--server <url>", description: "import into a running service" },
      { flags: "--api-key-file <file>", description: "file with an API key (or set BOOKDIST_API_KEY)" },
      { flags: "--email <address>", description: "log in, with BOOKDIST_PASSWORD or a prompt" },
      { flags: "--languages-only", description: "create missing languages, and import nothing" },
      { flags: "--insecure", description: "allow http to another machine" },
    ],
    examples: [
      ["~/books --dry-run", "show what would be imported"],
      ["~/books", "import directly, while no server runs"],
      ["~/books --server https://example.org --email anna@example.org", "import into a running service"],
    ],
    load: async () => (await import("./import.ts")).importFolder,
  },
  {
    name: "export",
    summary: "Export the books with files, covers and a catalogue.",
    description:
      "Writes the active books into a new or empty folder that import reads: <lang>/<slug>.epub, covers, and a catalogue.json. Works with or without a running server. It is no backup: accounts, contacts and statistics stay out.",
    args: [["<folder>", "a new or empty folder"]],
    examples: [["~/books", "write all active books to ~/books"]],
    load: async () => (await import("./export.ts")).exportFolder,
  },
  {
    name: "backup",
    summary: "Create a verified backup of DATA_DIR. The server can keep running.",
    options: [
      { flags: "--out <dir>", description: "folder for the backups (default: DATA_DIR/backups)" },
      {
        flags: "--keep <n>",
        description: "number of backups to keep there (default: all)",
        range: [1, 999_999],
      },
    ],
    examples: [
      ["", "back up into DATA_DIR/backups"],
      ["--out /mnt/backups --keep 14", "back up to another disk and keep the newest 14"],
    ],
    isBackground: true,
    load: async () => (await import("./backup.ts")).backup,
  },
  {
    name: "restore",
    summary: "Restore a backup into an empty or new DATA_DIR.",
    description:
      "Verifies the backup before it writes anything. A folder that contains data is rejected: move it away first.",
    args: [["<backup>", "the folder of one backup"]],
    examples: [["/mnt/backups/backup-2026-03-01T031500.000Z", "restore this backup"]],
    load: async () => (await import("./backup.ts")).restore,
  },
  {
    name: "move",
    summary: "Move all data to a database server and a file store, or back.",
    description:
      "Stop all instances first. Copies rows, files or both, and compares them; changes nothing at the source. Rejects a target that has other data. After an interruption, the same command continues.",
    options: [
      { flags: "--to-database <url>", description: "move the rows of DATA_DIR to a PostgreSQL database" },
      { flags: "--to-storage <url>", description: "move the files of DATA_DIR to a bucket" },
      { flags: "--from-database <url>", description: "move the rows back to DATA_DIR" },
      { flags: "--from-storage <url>", description: "move the files back to DATA_DIR" },
    ],
    examples: [
      ["--to-database postgres://books@db/books", "move the rows only"],
      ["--to-storage 's3://books?region=eu-central-1'", "move the files only"],
      ["--from-database postgres://books@db/books", "return to SQLite"],
    ],
    load: async () => (await import("./move.ts")).move,
  },
  {
    name: "geoip",
    summary: "Show the databases of countries and cities, or download the cities.",
    description:
      "Works with or without a running server. Downloading requires MAXMIND_ACCOUNT_ID and MAXMIND_LICENSE_KEY.",
    options: [{ flags: "--update", description: "download the City database if there is a newer one" }],
    examples: [
      ["", "show which databases are installed, and when they were built"],
      ["--update", "download the latest City database into DATA_DIR"],
    ],
    load: async () => (await import("./geoip.ts")).geoip,
  },
  {
    name: "openapi",
    summary: "Print the OpenAPI document of this version.",
    options: [{ flags: "--out <file>", description: "write it to a file instead" }],
    examples: [
      ["--out openapi.json", "write the document to a file"],
      ["> openapi.json", "the same"],
    ],
    load: async () => (await import("./openapi.ts")).openapi,
  },
];

function describePassword(): string {
  return "The password is asked for twice on a terminal; otherwise it is the first line of standard input.";
}

export const runsAtLowPriority = (
  { isBackground = false, urgentOptions = [] }: CommandSpec,
  options: Readonly<Record<string, unknown>>,
): boolean => isBackground && !urgentOptions.some((name) => options[name] === true);
