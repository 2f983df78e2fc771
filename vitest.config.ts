import { statfsSync } from "node:fs";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // No response may depend on the zone of the machine: this one is on another day than UTC at midnight, and has summer time.
    env: { TZ: "America/Adak" },
    // The default leaves one core free: of two, that is half.
    maxWorkers: "100%",
    sequence: { shuffle: true },
    setupFiles: "test/support/compile-cache.ts",
    // test/clients has packages of its own, some of which bring their tests along.
    exclude: ["**/node_modules/**"],
    projects: [
      {
        // What a newcomer runs: `npm test`.
        extends: true,
        test: {
          name: "main",
          include: ["test/**/!(*.deep).test.ts"],
          globalSetup: ["test/support/empty-database.ts", "test/support/same-priority.ts"],
          // A file that has loaded the service leaves it loaded for the next one: loading takes as long as most files.
          isolate: false,
          env: inMemory(),
          testTimeout: 20_000,
          hookTimeout: 20_000,
        },
      },
      {
        // Kills, disk errors, traces, fuzz, races, and whole processes, on a real disk: `npm run test:deep`.
        extends: true,
        test: {
          name: "deep",
          include: ["test/**/*.deep.test.ts"],
          globalSetup: ["test/support/empty-database.ts", "test/support/statuses-seen.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});

/** Puts the data folders of tests on a disk in memory where there is one with room: most of a test's time is fsync. */
function inMemory(): { TMPDIR?: string } {
  const disk = "/dev/shm";
  try {
    const { bavail, bsize } = statfsSync(disk);
    return bavail * bsize > 2 ** 31 ? { TMPDIR: disk } : {};
  } catch {
    return {};
  }
}
