import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // A machine with other work to do is slow, not wrong.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // No answer may depend on the zone of the machine: this one is on another day than UTC at midnight, and has summer time.
    env: { TZ: "America/Adak" },
    // The default leaves one core free: of two, that is half.
    maxWorkers: "100%",
    include: ["test/**/*.test.ts"],
    globalSetup: "test/support/statuses-seen.ts",
    sequence: { shuffle: true },
  },
});
