import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

const seededFastCheck = fileURLToPath(new URL("scripts/seeded-fast-check.mjs", import.meta.url))

export default defineConfig({
  // Tests run the sources; a build is only needed by tests of the built command.
  resolve: { conditions: ["haft-source"], alias: { "fast-check": seededFastCheck } },
  ssr: { resolve: { conditions: ["haft-source"] } },
  test: {
    include: ["packages/*/src/**/*.test.{ts,tsx}", "packages/*/test/**/*.test.ts", "scripts/**/*.test.ts"],
    // Workers run from a bundle, also when everything else runs from the sources.
    globalSetup: "scripts/bundle-worker.mjs",
    // Commands that inherit the environment speak English, whatever the machine speaks. An empty one counts as unset.
    env: { LANG: "C.UTF-8", LC_ALL: "", LC_MESSAGES: "" },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    // Many tests wait for processes: a second worker fills the pauses of the first, also on two cores.
    maxWorkers: 2,
    // A second try for what a busy machine can delay; npm test names every test that needed it.
    retry: 1,
  },
})
