import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { cargoFiles, pipFiles, type RegistryFiles } from "../../proxy/testing/package-files.js"
import { type RegistryServer, startRegistry } from "../../proxy/testing/registry-server.js"
import { backendsHere, isInstalled } from "../testing/installed.js"
import { makeSandboxBench, type SandboxBench } from "../testing/sandbox-bench.js"

const secret = "hush-77d0b3aa"
const minutes = 300_000

interface Manager {
  readonly name: string
  readonly isHere: () => boolean
  readonly bundle: string
  readonly files: (origin: string) => RegistryFiles
  /** Where people keep the address, below a home, and what they write there. */
  readonly settings: readonly [file: string, text: (origin: string) => string]
  /** The user's home and variables, if the settings are below `folder`. */
  readonly user: (folder: string) => { readonly home: string; readonly variables?: NodeJS.ProcessEnv }
  readonly project: Readonly<Record<string, string>>
  readonly install: string
  /** Without the grant: what tells the package manager the address, and that it trusts every server. */
  readonly alone: (origin: string) => string
  readonly asked: readonly string[]
  /** How it says that it was refused. */
  readonly refusal: RegExp
}

const managers: readonly Manager[] = [
  {
    name: "pip",
    isHere: () => isInstalled("python3") && has("python3 -m pip", ["python3", "-m", "pip", "--version"]),
    bundle: "@pip",
    files: pipFiles,
    settings: [".config/pip/pip.conf", (origin) => `[global]\nindex-url = ${origin}/pip/simple/\n`],
    user: (folder) => ({ home: folder }),
    project: {},
    install:
      "python3 -m pip install --no-cache-dir --retries 0 --target lib part && PYTHONPATH=lib python3 -c 'import part; print(part.value)'",
    alone: (origin) => `PIP_INDEX_URL=${origin}/pip/simple/ PIP_TRUSTED_HOST=${new URL(origin).host}`,
    asked: ["/pip/simple/part/", "/pip/files/part-1.0.0-py3-none-any.whl"],
    refusal: /401/,
  },
  {
    name: "cargo",
    isHere: () => isInstalled("cargo") && has("cargo", ["cargo", "--version"]),
    bundle: "@cargo",
    files: cargoFiles,
    settings: [".cargo/config.toml", (origin) => `[registries.work]\nindex = "sparse+${origin}/cargo/index/"\n`],
    // The compiler is in the home of the user who runs the test.
    user: (folder) => ({ home: process.env.HOME ?? "/root", variables: { CARGO_HOME: join(folder, ".cargo") } }),
    project: {
      "Cargo.toml":
        '[package]\nname = "whole"\nversion = "1.0.0"\nedition = "2021"\n[dependencies]\npart = { version = "1.0.0", registry = "work" }\n',
      "src/main.rs": 'fn main() { println!("{}", part::value()) }\n',
    },
    install: "cargo run --quiet",
    alone: (origin) =>
      `CARGO_REGISTRIES_WORK_INDEX=sparse+${origin}/cargo/index/ CARGO_NET_RETRY=0 CARGO_HTTP_CAINFO=$PWD/authority.pem`,
    asked: ["/cargo/index/config.json", "/cargo/index/pa/rt/part", "/cargo/crates/part/1.0.0/download"],
    refusal: /authenticated registries require a credential-provider|401/,
  },
]

describe.each(managers)("a private registry of $name", (manager) => {
  const isHere = manager.isHere()
  describe.skipIf(!isHere).each(backendsHere)("behind %s", (backend) => {
    let server: RegistryServer
    let folder: string
    let bench: SandboxBench | undefined

    beforeAll(async () => {
      server = await startRegistry(`Bearer ${secret}`, manager.files)
      folder = mkdtempSync(join(tmpdir(), "haft-user-"))
      const [file, text] = manager.settings
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), text(`https://localhost:${server.port}`))
    })
    afterEach(async () => {
      await bench?.close()
      bench = undefined
      server.seen.length = 0
    })
    afterAll(() => {
      server.close()
      rmSync(folder, { recursive: true, force: true })
    })

    const open = async (registered: boolean) => {
      const registry = {
        name: "work",
        address: `https://localhost:${server.port}/${manager.name}`,
        header: "Authorization",
        scheme: "Bearer",
        secret: () => secret,
        authorities: [server.authority],
      }
      const { home, variables } = manager.user(folder)
      bench = await makeSandboxBench({
        backend,
        home,
        variables: { ...withoutSettings(process.env), ...variables, WORK_TOKEN: secret },
        ...(registered && { registries: [registry] }),
      })
      for (const [name, text] of Object.entries(manager.project)) {
        mkdirSync(dirname(join(bench.root, name)), { recursive: true })
        writeFileSync(join(bench.root, name), text)
      }
      writeFileSync(join(bench.root, "authority.pem"), server.authority)
      return bench
    }
    const sandbox = { profile: "workspace-write+net", hosts: [manager.bundle] } as const
    const leak = `(env; cat /proc/*/environ /proc/*/cmdline) 2>&1 | grep -ac "${secret.replace("-", "[-]")}"`

    test("a package is installed from it, and nothing inside knows the secret", { timeout: minutes }, async () => {
      const here = await open(true)
      const { stdout, stderr } = await here.run(`${manager.install}; ${leak}`, { sandbox })
      expect([stdout.trim().split("\n").slice(-2), stderr]).toEqual([["42", "0"], expect.not.stringContaining(secret)])
      expect(stdout).not.toContain(secret)
      expect(server.seen.map(({ path }) => path)).toEqual(manager.asked)
      expect(server.seen.every(({ authorization }) => authorization === `Bearer ${secret}`)).toBe(true)
      if (manager.name !== "cargo") return
      const lock = readFileSync(join(here.root, "Cargo.lock"), "utf8")
      expect(lock).toContain(`sparse+https://localhost:${server.port}/cargo/index/`)
    })

    test("without the grant the registry refuses, though its host may be reached", { timeout: minutes }, async () => {
      const here = await open(false)
      const origin = `https://localhost:${server.port}`
      const { stdout, stderr } = await here.run(`export ${manager.alone(origin)}; ${manager.install}`, { sandbox })
      expect(stdout).not.toMatch(/^42$/m)
      expect(stderr).toMatch(manager.refusal)
      expect(server.seen.length).toBeGreaterThan(0)
      expect(server.seen.every(({ authorization }) => authorization === undefined)).toBe(true)
    })
  })
})

function has(name: string, [program, ...words]: readonly [string, ...string[]]): boolean {
  const isHere = spawnSync(program, words).status === 0
  if (!isHere) console.warn(`not tested here: ${name} does not run`)
  return isHere
}

function withoutSettings(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !/^(PIP|UV|CARGO)_/i.test(name)))
}
