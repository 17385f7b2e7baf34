import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { afterAll, describe, expect, test } from "vitest"
import { chooseIdentity, type Detected } from "../backend.js"
import { createLaunch } from "../launch/launch.js"
import { backends } from "../plan/choose-backend.js"
import { writeSandboxFiles } from "../plan/sandbox-files.js"
import { probeBackend, runLaunch } from "../probe/probe-backend.js"
import { backendsHere } from "../testing/installed.js"
import { type Limiter, withDefaults } from "./limiter.js"

describe.skipIf(process.platform === "win32")("a command that cannot be counted yet", () => {
  const folder = mkdtempSync(join(tmpdir(), "haft-gate-"))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Takes its time, long after the sandbox stands. */
  const limiterThat = (places: boolean): Limiter => {
    const place = async () => {
      await delay(400)
      return places
    }
    const placement = { place, follow: place }
    return { enforcedBy: "cgroup2", joins: [], placement, limits: withDefaults(), close: async () => undefined }
  }

  test.each(backendsHere)("does not begin behind %s, and never does when it is refused", async (name) => {
    const backend = backends[name]
    const searchPath = [...(process.env.PATH ?? "").split(":"), "/usr/sbin", "/sbin"]
    const detected = (await backend.detect({ searchPath, roots: [] })) as Detected
    const files = writeSandboxFiles(folder)
    const identity = chooseIdentity(folder, detected.programs.setpriv !== undefined)
    const probe = (places: boolean) =>
      probeBackend({ backend, detected, files, identity, limiter: limiterThat(places) })
    expect((await probe(true)).ok).toBe(true)
    const refused = await probe(false)
    expect(refused.checks.filter(({ ok }) => ok).map(({ name }) => name)).not.toContain("runs a command")
  })

  test("does not begin where only a shell in front of the sandbox can wait", async () => {
    const run = (places: boolean) =>
      runLaunch(
        createLaunch({
          ...{ backend: backends.seatbelt, limiter: limiterThat(places), environment: {}, program: "sh", folder },
          wrapped: {
            file: "/bin/sh",
            args: ["-c", "echo ran; (: >&3) 2>/dev/null && echo open; true"],
            descriptors: [],
          },
          onFailure: () => undefined,
        }),
      )
    expect(await run(true)).toEqual({ stdout: "ran\n" })
    expect(await run(false)).toMatchObject({ stdout: "", reason: expect.stringContaining("could not be limited") })
  })
})
