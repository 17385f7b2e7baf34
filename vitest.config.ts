import { defineConfig } from "vitest/config"

export default defineConfig({
  // Tests run the sources; a build is only needed by tests of the built command.
  resolve: { conditions: ["haft-source"] },
  ssr: { resolve: { conditions: ["haft-source"] } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "packages/*/test/**/*.test.ts", "scripts/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
  },
})
