import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { isInstalled } from "../../sandbox/testing/installed.js"
import type { Machine } from "./machine.js"
import { bundleNames, resolveBundle } from "./resolve-bundle.js"

let base: string
let machine: Machine
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "haft-bundles-"))
  for (const folder of ["home/.cargo", "etc/apt/sources.list.d", "root"])
    mkdirSync(join(base, folder), { recursive: true })
  machine = {
    home: join(base, "home"),
    searchPath: (process.env.PATH ?? "").split(":"),
    roots: [join(base, "root")],
    variables: {},
    settings: join(base, "etc"),
  }
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const hosts = async (name: string) =>
  (await resolveBundle(name, machine))?.destinations.map(
    ({ host, port, below }) => `${below ? "*." : ""}${host}:${port}`,
  )

test("there are five bundles, and no other", async () => {
  expect(bundleNames).toEqual(["npm", "pip", "cargo", "apt", "git"])
  expect(await resolveBundle("@other", machine)).toBeUndefined()
  expect(await resolveBundle("@constructor", machine)).toBeUndefined()
})

test.skipIf(!isInstalled("npm"))("@npm: the registries of the user's npm, never of a project", async () => {
  writeFileSync(
    join(base, "home/.npmrc"),
    "registry=https://mirror.example:8443/npm/\n@team:registry=http://team.example/\n",
  )
  writeFileSync(join(base, "root/.npmrc"), "registry=http://127.0.0.1:2375/\n")
  expect(await hosts("@npm")).toEqual(expect.arrayContaining(["mirror.example:8443", "team.example:80"]))
  expect(await hosts("@npm")).not.toContain("127.0.0.1:2375")
})

test.skipIf(!isInstalled("npm"))("@npm without settings: the registry that npm was made with", async () => {
  expect(await hosts("@npm")).toHaveLength(1)
})

test.skipIf(!isInstalled("python3"))("@pip: a configured index takes the place of the built-in one", async () => {
  machine = { ...machine, variables: { PIP_CONFIG_FILE: join(base, "pip.conf") } }
  writeFileSync(join(base, "pip.conf"), "[global]\nindex-url = https://pypi.mirror.example/simple\n")
  const found = await hosts("@pip")
  expect(found).toContain("pypi.mirror.example:443")
  writeFileSync(join(base, "pip.conf"), "")
  expect((await hosts("@pip"))!.length).toBeGreaterThanOrEqual(2)
})

test("@cargo: configured and known registries", async () => {
  writeFileSync(
    join(base, "home/.cargo/config.toml"),
    '[source.crates-io]\nreplace-with = "mirror"\n[source.mirror]\nregistry = "sparse+https://crates.mirror.example/index/"\n[registries.team]\nindex = "https://git.team.example/index"\n',
  )
  mkdirSync(join(base, "home/.cargo/registry/index/x-1"), { recursive: true })
  writeFileSync(
    join(base, "home/.cargo/registry/index/x-1/config.json"),
    '{"dl":"https://files.mirror.example/crates","api":"https://api.mirror.example"}',
  )
  expect(await hosts("@cargo")).toEqual([
    "crates.mirror.example:443",
    "git.team.example:443",
    "files.mirror.example:443",
    "api.mirror.example:443",
  ])
})

test("@apt: both formats, disabled blocks left out", async () => {
  writeFileSync(
    join(base, "etc/apt/sources.list"),
    "# deb http://old.example/ x main\ndeb [arch=amd64 signed-by=/k] http://list.example/debian stable main\ndeb-src https://source.example:444/ x main\n",
  )
  writeFileSync(
    join(base, "etc/apt/sources.list.d/a.sources"),
    "Types: deb\nURIs: http://one.example/debian\n https://two.example/\nSuites: x\n\nEnabled: no\nURIs: http://off.example/\n",
  )
  expect(await hosts("@apt")).toEqual(["list.example:80", "source.example:444", "one.example:80", "two.example:443"])
})

test.skipIf(!isInstalled("git"))(
  "@git: the remotes of the repository, ssh included, and not as words of the user",
  async () => {
    const root = join(base, "root")
    const git = (...args: string[]) => execFileSync("git", args, { cwd: root })
    git("init", "-q")
    git("remote", "add", "origin", "git@forge.example:team/project.git")
    git("remote", "add", "web", "https://user@web.example:8443/x.git")
    git("remote", "add", "local", "/srv/x.git")
    expect(await hosts("@git")).toEqual(["forge.example:22", "web.example:8443"])
    expect(await resolveBundle("@git", machine)).toMatchObject({ ofUser: false, uploads: true })
  },
)
