import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type RegistryServer, startRegistry } from "../../host/src/proxy/testing/registry-server.js"
import { areHere, sandboxIsHere } from "./shell-world.js"
import { type Workbench, workbench } from "./workbench.js"

const secret = "hush-90ab71c2"

describe.skipIf(!sandboxIsHere || !areHere("curl"))("a private registry of the user's configuration", () => {
  let server: RegistryServer
  let bench: Workbench

  beforeAll(async () => {
    server = await startRegistry(`Bearer ${secret}`)
    bench = workbench()
    mkdirSync(bench.config, { recursive: true, mode: 0o700 })
    mkdirSync(join(bench.home, "secrets"), { recursive: true, mode: 0o700 })
    writeFileSync(join(bench.home, "secrets", "work"), `${secret}\n`, { mode: 0o600 })
    writeFileSync(join(bench.config, "authority.pem"), server.authority)
  })
  afterAll(() => {
    server.close()
    bench.remove()
  })

  const registry = () => ({
    address: `https://localhost:${server.port}/npm/`,
    header: "authorization",
    scheme: "Bearer",
    secret: "file:work",
    authority: join(bench.config, "authority.pem"),
  })
  const ask = () =>
    bench.run([
      ...["call", "bash", `command=curl -sS https://localhost:${server.port}/npm/part; env | grep -c hush`],
      ...["--allow", "bash", "--grant-net", `localhost:${server.port}`, "--json"],
    ])

  test("is asked with its header; neither output nor journal hold the secret", async () => {
    writeFileSync(join(bench.config, "config.jsonc"), JSON.stringify({ net: { registries: { work: registry() } } }))
    const { stdout } = await ask()
    expect(JSON.parse(stdout).data.stdout).toMatch(/^\{"name":"part".*\}0\n$/)
    expect(server.seen.at(-1)).toEqual({ method: "GET", path: "/npm/part", authorization: `Bearer ${secret}` })
    const journal = ["journal.db", "journal.db-wal"].map((name) => {
      try {
        return readFileSync(join(bench.home, name), "latin1")
      } catch {
        return ""
      }
    })
    expect(journal.join("")).toContain("/npm/part")
    expect(journal.join("") + stdout).not.toContain(secret)
  })

  test("is no word of a project", async () => {
    writeFileSync(join(bench.config, "config.jsonc"), "{}")
    bench.write("haft.jsonc", JSON.stringify({ net: { registries: { work: registry() } } }))
    const before = server.seen.length
    const { stdout } = await ask()
    expect(stdout).not.toContain('"name":"part"')
    expect(server.seen.slice(before).every(({ authorization }) => authorization === undefined)).toBe(true)
  })
})
