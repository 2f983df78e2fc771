/** Where the commands in the documents are run: a file of the project, or the reason why nothing runs them. */

interface Block {
  document: string;
  /** The beginning of the block. */
  begins: string;
  /** The file that runs it. */
  by?: string;
  /** Why nothing runs it. */
  because?: string;
}

const NO_SYSTEMD = "It needs root and systemd; test/examples.deep.test.ts checks the units.";
const NO_DOCKER = "It needs Docker; test/image.deep.test.ts runs the same files.";

export const BLOCKS: readonly Block[] = [
  { document: "README.md", begins: "npm ci && npm run demo", by: ".ci/steps.sh" },
  { document: "README.md", begins: "npx bookdist import", by: "test/documented-commands.deep.test.ts" },
  { document: "README.md", begins: "docker build", because: NO_DOCKER },
  { document: "CONTRIBUTING.md", begins: "npm ci", by: ".ci/steps.sh" },
  { document: "SECURITY.md", begins: "npm run sbom", by: "test/sbom.slow.test.ts" },
  { document: "docs/getting-started.md", begins: "npm ci", by: ".ci/steps.sh" },
  {
    document: "docs/public-site.md",
    begins: "cp -r examples/public-site",
    because: "tests serve the folder as it is",
  },
  {
    document: "docs/getting-started.md",
    begins: "npx bookdist import ~/books --dry-run",
    by: "test/documented-commands.deep.test.ts",
  },
  {
    document: "docs/getting-started.md",
    begins: "npx bookdist import ~/books --server",
    by: "test/documented-commands.deep.test.ts",
  },
  { document: "docs/getting-started.md", begins: "cat > .env", by: "test/documented-commands.deep.test.ts" },
  { document: "docs/administration.md", begins: "ADMIN_EMAIL", by: "test/documented-tour.check.test.ts" },
  {
    document: "docs/administration.md",
    begins: "S=http://localhost:3000",
    by: "test/documented-tour.check.test.ts",
  },
  { document: "docs/analytics.md", begins: "curl", by: "test/documented-tour.check.test.ts" },
  { document: "docs/backup.md", begins: "npx bookdist backup", by: "test/documented-commands.deep.test.ts" },
  { document: "docs/backup.md", begins: "install --directory", because: NO_SYSTEMD },
  { document: "docs/backup.md", begins: "pg_dump", because: "They are commands of PostgreSQL." },
  { document: "docs/backup.md", begins: "mv data", by: "test/documented-commands.deep.test.ts" },
  { document: "docs/import.md", begins: "npx bookdist import", by: "test/cli-import.deep.test.ts" },
  { document: "docs/import.md", begins: "BOOKDIST_API_KEY", by: "test/cli-import.deep.test.ts" },
  { document: "docs/operation.md", begins: "useradd", because: NO_SYSTEMD },
  { document: "docs/operation.md", begins: "cd /opt/bookdist", because: NO_SYSTEMD },
  {
    document: "docs/operation.md",
    begins: "usermod -aG bookdist www-data",
    because: "It needs root and systemd; test/accel.deep.test.ts runs nginx with the same settings.",
  },
  { document: "docs/operation.md", begins: "systemctl stop", because: NO_SYSTEMD },
  { document: "docs/operation.md", begins: "PUBLIC_BASE_URL", because: NO_DOCKER },
  {
    document: "docs/operation.md",
    begins: "npm ci && npm run build",
    because: "It copies to another machine.",
  },
  { document: "docs/operation.md", begins: "V=$(node_modules", because: "It downloads from nodejs.org." },
  {
    document: "docs/operation.md",
    begins: "npx bookdist doctor",
    by: "test/documented-commands.deep.test.ts",
  },
  {
    document: "docs/operation.md",
    begins: "npx bookdist sweep",
    by: "test/api/set-aside-files.check.test.ts",
  },
  { document: "docs/scaling.md", begins: "DATABASE_URL=", because: "They are settings, not commands." },
  { document: "docs/scaling.md", begins: "npx bookdist move", by: "test/move.postgres.test.ts" },
];
