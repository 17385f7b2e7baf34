import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ToolError } from "@haft/contract"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import type { PrivateRegistry } from "../../proxy/registry/private-registry.js"
import { createSandboxAuthority } from "../../proxy/registry/sandbox-authority.js"
import { type RegistryServer, startRegistry } from "../../proxy/testing/registry-server.js"
import type { SandboxOptions } from "../options.js"
import { backendsHere, isInstalled } from "../testing/installed.js"
import { makeSandboxBench, type SandboxBench } from "../testing/sandbox-bench.js"

const secret = "hush-4f1e0c77"

describe.skipIf(!isInstalled("npm") || !isInstalled("curl")).each(backendsHere)(
  "a private registry behind %s",
  (backend) => {
    let server: RegistryServer
    let home: string
    let bench: SandboxBench | undefined

    beforeAll(async () => {
      server = await startRegistry(`Bearer ${secret}`)
      home = mkdtempSync(join(tmpdir(), "haft-user-"))
      mkdirSync(join(home, "project"))
      // Where people keep such secrets, and what no sandbox shows.
      const lines = [`registry=https://localhost:${server.port}/npm/`, `//localhost:${server.port}/npm/:_authToken=x`]
      writeFileSync(join(home, ".npmrc"), lines.join("\n"))
    })
    afterEach(async () => {
      await bench?.close()
      bench = undefined
      server.seen.length = 0
    })
    afterAll(() => {
      server.close()
      rmSync(home, { recursive: true, force: true })
    })

    const registry = (more: Partial<PrivateRegistry> = {}): PrivateRegistry => ({
      name: "work",
      address: `https://localhost:${server.port}/npm`,
      header: "Authorization",
      scheme: "Bearer",
      secret: () => secret,
      authorities: [server.authority],
      ...more,
    })
    const open = async (options: Partial<SandboxOptions>) => {
      const variables = { ...withoutNpm(process.env), WORK_TOKEN: secret }
      bench = await makeSandboxBench({ backend, home, variables, ...options })
      writeFileSync(join(bench.root, "package.json"), JSON.stringify({ name: "whole", version: "1.0.0" }))
      return bench
    }
    const withNpm = { sandbox: { profile: "workspace-write+net", hosts: ["@npm"] } } as const
    const install = "npm install part --no-audit --no-fund --no-update-notifier --loglevel=http --fetch-retries=0"

    test("npm installs a package from it, and nothing inside knows the secret", async () => {
      const here = await open({ registries: [registry()] })
      const { code, stdout, stderr } = await here.run(
        `${install} && node -p "require('part')"; (env; cat /proc/*/environ /proc/*/cmdline; cat ~/.npmrc; npm config list -l --no-update-notifier) 2>&1 | grep -ac "${secret.replace("-", "[-]")}"`,
        withNpm,
      )
      expect([code, stderr]).toEqual([1, expect.not.stringContaining(secret)])
      expect(stdout.trim().split("\n").slice(-2)).toEqual(["42", "0"])
      expect(stdout + stderr).not.toContain(secret)
      const lock = readFileSync(join(here.root, "package-lock.json"), "utf8")
      expect(lock).toContain(`https://localhost:${server.port}/npm/part/-/part-1.0.0.tgz`)
      expect(lock).not.toContain("http://")
      expect(server.seen.map(({ path }) => path)).toEqual(["/npm/part", "/npm/part/-/part-1.0.0.tgz"])
    })

    test("without the grant the registry refuses, though its host may be reached", async () => {
      const here = await open({})
      const { code, stderr } = await here.run(
        `npm_config_strict_ssl=false npm_config_registry=https://localhost:${server.port}/npm/ ${install}`,
        withNpm,
      )
      expect(code).not.toBe(0)
      expect(stderr).toContain("401")
      expect(server.seen.every(({ authorization }) => authorization === undefined)).toBe(true)
    })

    test("a command that may not reach the host gets neither the host nor the header", async () => {
      const here = await open({ registries: [registry()] })
      const { stdout } = await here.run(
        `curl -sS --noproxy '' https://localhost:${server.port}/npm/part 2>&1; env | grep -c certificates-`,
        { sandbox: { profile: "workspace-write+net", hosts: ["example.org"] } },
      )
      expect(stdout).toContain("403")
      expect(stdout).toMatch(/^0$/m)
      expect(server.seen).toEqual([])
    })

    test("[C2-87] only reading below its path gets the header; a redirect is the client's to follow, without it", async () => {
      const here = await open({ registries: [registry()] })
      const at = `https://localhost:${server.port}`
      const line = [
        `curl -sS -X PUT -d x ${at}/npm/part`,
        `curl -sS ${at}/other`,
        `curl -sS --path-as-is ${at}/npm/../other`,
        `curl -sS --path-as-is ${at}/npm/..%2fother`,
        `curl -sS -H 'authorization: mine' ${at}/npm/part`,
        `curl -sSL ${at}/npm/away`,
        `curl -sS http://localhost:${server.port}/npm/part`,
      ].join("; ")
      await here.run(line, { sandbox: { profile: "workspace-write+net", hosts: [`localhost:${server.port}`] } })
      const header = `Bearer ${secret}`
      expect(server.seen).toEqual([
        { method: "PUT", path: "/npm/part", authorization: undefined },
        { method: "GET", path: "/other", authorization: undefined },
        { method: "GET", path: "/other", authorization: undefined },
        { method: "GET", path: "/npm/..%2fother", authorization: undefined },
        { method: "GET", path: "/npm/part", authorization: header },
        { method: "GET", path: "/npm/away", authorization: header },
      ])
    })

    test("a server must prove to be the registry before it gets the secret", async () => {
      const here = await open({ registries: [registry({ authorities: [createSandboxAuthority().certificate] })] })
      const { stdout } = await here.run(`curl -sS https://localhost:${server.port}/npm/part`, withNpm)
      expect(stdout).toMatch(/cannot be reached: .*certificate/)
      expect(server.seen).toEqual([])
    })

    test("a secret that is not there, or an address in the clear, is said before anything runs", async () => {
      const missing = () => {
        throw new ToolError("not_configured", "Cannot use the private registry: no secret")
      }
      const here = await open({ registries: [registry({ secret: missing })] })
      await expect(here.prepare(withNpm)).rejects.toThrow("no secret")
      await here.close()
      const clear = await open({ registries: [registry({ address: `http://localhost:${server.port}/npm` })] })
      await expect(clear.prepare(withNpm)).rejects.toMatchObject({ code: "not_configured" })
      await clear.close()
      const split = await open({ registries: [registry({ secret: () => "two\r\nlines" })] })
      await expect(split.prepare(withNpm)).rejects.toMatchObject({ code: "not_configured" })
    })
  },
)

function withoutNpm(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !/^npm_/i.test(name)))
}
