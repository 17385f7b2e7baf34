import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { type Workbench, workbench } from "../../../test/workbench.js"

describe.skipIf(process.platform !== "linux")("haft doctor that is interrupted", () => {
  let bench: Workbench
  let programs: string
  let temporary: string
  beforeEach(() => {
    bench = workbench()
    programs = join(bench.home, "../programs")
    temporary = join(bench.home, "../temporary")
    for (const folder of [programs, temporary]) mkdirSync(folder)
    vi.stubEnv("TMPDIR", temporary)
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    bench.remove()
  })

  /** A program that says that it was started and then does not end. */
  const hanging = (name: string) => {
    const begun = join(programs, "..", `${name}-begun`)
    writeFileSync(
      join(programs, name),
      `#!/bin/sh\n[ "$1" = --version ] && [ ${name} = bwrap ] && echo 'bwrap 0.8.0' && exit\n: > '${begun}'\nexec sleep 60\n`,
    )
    chmodSync(join(programs, name), 0o755)
    return begun
  }

  test.each(["bwrap", "git"])("ends at once, also while it waits for %s, and leaves nothing", async (name) => {
    const begun = hanging(name)
    const abort = new AbortController()
    const running = bench.run(["doctor"], { env: { PATH: `${programs}:/usr/bin:/bin` }, signal: abort.signal })
    while (!existsSync(begun)) await new Promise((done) => setTimeout(done, 20))
    abort.abort()
    expect(await running).toMatchObject({ code: 130, stdout: "" })
    while (readdirSync(temporary).length > 0) await new Promise((done) => setTimeout(done, 20))
  })
})
