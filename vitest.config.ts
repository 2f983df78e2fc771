import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // No response may depend on the zone of the machine: this one is on another day than UTC at midnight, and has summer time.
    env: { TZ: "America/Adak" },
    // The default leaves one core free: of two, that is half.
    maxWorkers: "100%",
    sequence: { shuffle: true },
    projects: [
      {
        // What a newcomer runs: `npm test`.
        extends: true,
        test: {
          name: "main",
          include: ["test/**/*.test.ts"],
          // test/clients has packages of its own, some of which bring their tests along.
          exclude: ["test/**/*.deep.test.ts", "**/node_modules/**"],
          testTimeout: 20_000,
          hookTimeout: 20_000,
        },
      },
      {
        // Kills, faults of the disk, traces, fuzz, races, and whole processes: `npm run test:deep`.
        extends: true,
        test: {
          name: "deep",
          include: ["test/**/*.deep.test.ts"],
          exclude: ["**/node_modules/**"],
          globalSetup: "test/support/statuses-seen.ts",
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
