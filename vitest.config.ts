import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // A machine with other work to do is slow, not wrong.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // No answer may depend on the zone of the machine: here it is as far from UTC as any.
    env: { TZ: "Pacific/Kiritimati" },
    include: ["test/**/*.test.ts"],
    globalSetup: "test/support/statuses-seen.ts",
    sequence: { shuffle: true },
  },
});
