import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type Workbench, workbench } from "../../../test/workbench.js"
import { findPlaces } from "../../config/places.js"
import { languageChecks } from "../doctor.js"

let bench: Workbench
let programs: string
beforeEach(() => {
  bench = workbench()
  programs = join(bench.home, "../programs")
  mkdirSync(programs)
})
afterEach(() => bench.remove())

const rust = async (script: string) => {
  writeFileSync(join(programs, "rust-analyzer"), `#!/bin/sh\n${script}\n`)
  chmodSync(join(programs, "rust-analyzer"), 0o755)
  const env = { ...bench.env, PATH: programs }
  const places = findPlaces(env, bench.work, bench.managedFile)
  return (await languageChecks({ env, places, roots: [bench.work] })).find(({ name }) => name === "lsp rust")
}

test.skipIf(process.platform === "win32")("a server whose program is only a placeholder is not ok", async () => {
  const proxy = `echo "error: Unknown binary 'rust-analyzer' in official toolchain" >&2; exit 1`
  expect(await rust(proxy)).toMatchObject({
    state: "none",
    found: expect.stringMatching(/rust-analyzer does not run: error: Unknown binary/),
    fix: "rustup component add rust-analyzer",
  })
  bench.write("Cargo.toml", "[package]\n")
  expect(await rust(proxy)).toMatchObject({ state: "warn" })
})

test.skipIf(process.platform === "win32")("one that runs is, and has none of the caller's secrets", async () => {
  const ok = `[ "$1" = --version ] && [ "$RUSTUP_AUTO_INSTALL" = 0 ] && [ -z "$XDG_CONFIG_HOME" ]`
  expect(await rust(ok)).toMatchObject({ state: "ok", found: join(programs, "rust-analyzer") })
})
