import { readdirSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { findCgroup } from "../limit/limiter.js"
import { backendsHere } from "../testing/installed.js"
import { endOf, makeSandboxBench, type SandboxBench } from "../testing/sandbox-bench.js"
import { relayFailed } from "./inside-command.js"

const withRelay = { sandbox: { profile: "workspace-write+net", hosts: ["127.0.0.1:9"] } } as const

describe.each(backendsHere)("what a command gets and tells %s", (backend) => {
  let bench: SandboxBench
  beforeAll(async () => {
    bench = await makeSandboxBench({ backend, netGrants: ["127.0.0.1:9"] })
  })
  afterAll(() => bench.close())

  test.each([{}, withRelay])(
    "variables with the names that the sandbox's own shells use are left alone",
    async (request) => {
      const names = ["root", "ip", "directory", "name", "ready", "code", "report", "one", "facts"]
      const environment = Object.fromEntries(names.map((name) => [name, `mine ${name}`]))
      const line = names.map((name) => `echo "$${name}"`).join("; ")
      const { stdout } = await bench.run(line, { environment, ...request })
      expect(stdout.trim().split("\n")).toEqual(Object.values(environment))
    },
  )

  test.each([{}, withRelay])("a command cannot say that its sandbox did not stand", async (request) => {
    const { code, failure } = await bench.run(`echo "${relayFailed}" >&2; exit 125`, request)
    expect([code, failure]).toEqual([125, undefined])
  })

  test("a relay that does not start is never the exit code of the command", async () => {
    const sandbox = await bench.prepare(withRelay)
    const launch = sandbox.launch(["/bin/true"])
    const args = launch.args.map((one) => (one === process.execPath ? "/bin/false" : one))
    const { code, failure } = await endOf({ ...launch, args })
    await sandbox.release()
    expect(code).toBe(125)
    expect(failure).toContain(relayFailed)
  })
})

const place = findCgroup()

test.skipIf(!place || backendsHere.length === 0)(
  "groups are gone with the session, also after a sandbox failed",
  async () => {
    const parent = place!.kind === "cgroup2" ? place!.parent : place!.processes
    const groups = () => readdirSync(parent).filter((name) => name.startsWith(`haft-${process.pid}-`))
    const before = groups()
    const bench = await makeSandboxBench({ netGrants: ["127.0.0.1:9"] })
    for (let round = 0; round < 2; round += 1) {
      const sandbox = await bench.prepare(withRelay)
      const launch = sandbox.launch(["/bin/true"])
      const args = launch.args.map((one) => (one === process.execPath ? "/bin/false" : one))
      expect((await endOf({ ...launch, args })).failure).toBeDefined()
      await sandbox.release()
    }
    await bench.run("true")
    await bench.close()
    expect(groups()).toEqual(before)
  },
)
