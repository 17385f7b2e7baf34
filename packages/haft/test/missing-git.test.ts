import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { programsWithout } from "../../host/src/sandbox/testing/programs-without.js"
import { gitArchive } from "../src/git/install-git.js"
import { areHere, sandboxIsHere } from "./shell-world.js"
import { type Workbench, workbench } from "./workbench.js"

describe.skipIf(!sandboxIsHere || !areHere("git"))(
  "git that is missing, with git.install in the user's configuration",
  () => {
    let bench: Workbench
    let mirror: Server
    let build: Buffer
    let programs: string

    beforeEach(async () => {
      bench = workbench()
      const folder = dirname(bench.work)
      mkdirSync(join(folder, "build/bin"), { recursive: true })
      const git = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim()
      copyFileSync(git, join(folder, "build/bin/git"))
      build = execFileSync("tar", ["-cz", "bin"], { cwd: join(folder, "build"), maxBuffer: 1e9 })
      execFileSync("git", ["init", "--quiet", bench.work])
      mirror = createServer((request, response) => {
        response.writeHead(request.url === `/${gitArchive()}` ? 200 : 404).end(build)
      })
      await new Promise<void>((done) => void mirror.listen(0, "127.0.0.1", done))
      mkdirSync(bench.config, { recursive: true })
      vi.stubEnv("HOME", bench.env.HOME)
      programs = programsWithout("git")
      vi.stubEnv("PATH", programs)
    })
    afterEach(() => {
      vi.unstubAllEnvs()
      mirror.closeAllConnections()
      mirror.close()
      bench.remove()
      rmSync(programs, { recursive: true, force: true })
    })

    const configure = (git: object) => writeFileSync(join(bench.config, "config.jsonc"), JSON.stringify({ git }))
    const settings = () => ({
      install: true,
      baseUrl: `http://127.0.0.1:${(mirror.address() as AddressInfo).port}`,
      sha256: createHash("sha256").update(build).digest("hex"),
    })
    const status = () => bench.run(["call", "git", "command=status", "--allow", "git", "--json"])
    const installed = () => existsSync(join(bench.env.HOME!, ".local/git/bin/git"))

    test("is installed by the first call that needs it, which says so and works", async () => {
      configure(settings())
      const { code, stdout, stderr } = await status()
      expect(stderr).toMatch(/git is missing: installing the configured build.*\ninstalled git \d/)
      expect([code, JSON.parse(stdout).type]).toEqual([0, "output"])
      expect(installed()).toBe(true)
      expect((await status()).stderr).not.toContain("installing")
    })

    test("[C2-76] the mirror that Haft itself fetches from is open to no tool and no command, nor closed by their rules", async () => {
      configure(settings())
      const denied = ["--deny", "net.fetch(127.0.0.1)"]
      const refused = await bench.run(["call", "web_fetch", `url=${settings().baseUrl}/`, "--yes", "--json"])
      expect(JSON.parse(refused.stdout)).toMatchObject({ type: "error", metadata: { error_code: "denied" } })
      const command = `command=curl -sS -m 5 ${settings().baseUrl}/${gitArchive()} | wc -c`
      const { stdout } = await bench.run(["call", "bash", command, "--yes", "--json"])
      expect(JSON.parse(stdout).data.stdout).toBe("0\n")
      const { code } = await bench.run(["call", "git", "command=status", "--allow", "git", ...denied])
      expect([code, installed()]).toEqual([0, true])
    })

    test("is not installed with another hash, nor without the setting, nor on a project's word", async () => {
      configure({ ...settings(), sha256: "0".repeat(64) })
      const wrong = await status()
      expect(wrong.code).not.toBe(0)
      expect(JSON.parse(wrong.stdout)).toMatchObject({ metadata: { error_code: "not_configured" } })
      expect(wrong.stdout).toContain("its SHA-256 is")
      configure({ ...settings(), install: false })
      bench.write("haft.jsonc", JSON.stringify({ git: { install: true } }))
      const without = await status()
      expect(without.stdout).toContain("it is not installed")
      expect(installed()).toBe(false)
    })
  },
)
