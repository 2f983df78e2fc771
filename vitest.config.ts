import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // A machine with other work to do is slow, not wrong.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    include: ["test/**/*.test.ts"],
    globalSetup: "test/support/statuses-seen.ts",
    sequence: { shuffle: true },
  },
});
