import { constants } from "node:fs"
import { copyFile, cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { openSessionFiles, type SessionFiles, type SessionLanguages } from "@haft/host"
import { afterEach, describe, expect, test } from "vitest"
import { backendsHere } from "../../host/src/sandbox/testing/installed.js"
import { makeSandboxBench, type SandboxBench } from "../../host/src/sandbox/testing/sandbox-bench.js"
import { createLanguageServers, type LanguageServersOptions } from "../src/language-servers.js"
import { fakeScript, fakeSpec } from "./fake-spec.js"
import { testCall } from "./language-bench.js"

// Sandboxes show the system's programs and the folders of PATH; `npx -p node@24` has Node in neither.
const isNodeShown =
  process.execPath.startsWith("/usr/") || (process.env.PATH ?? "").split(":").includes(dirname(process.execPath))
if (!isNodeShown) console.warn(`not tested here: no sandbox shows "${process.execPath}"; put its folder on PATH`)

const modules = resolve(dirname(fileURLToPath(import.meta.url)), "../../../node_modules")

describe.each(backendsHere)("language servers in the sandbox of %s", (backend) => {
  let ground: SandboxBench
  let session: SessionFiles
  let servers: SessionLanguages
  let web: Server | undefined
  afterEach(async () => {
    await servers?.close()
    await session?.close()
    await ground?.close()
    web?.close()
  })

  async function open(options: (root: string) => Partial<LanguageServersOptions> = () => ({})): Promise<void> {
    ground = await makeSandboxBench({ backend, variables: { ...process.env, CALLER_SECRET: "s3cret" } })
    const { root, haftHome: state } = ground
    const sessionFolder = join(state, "sessions", "s1")
    session = openSessionFiles({ roots: [root], directory: root, sessionFolder, historyFolder: join(state, "history") })
    servers = createLanguageServers({
      ...{ sandboxes: ground.sandboxes, roots: [root], files: session.files, trusted: true },
      ...options(root),
    })
  }

  test("the TypeScript of the project works", async () => {
    await open()
    const platform = `@typescript/typescript-${process.platform}-${process.arch}`
    for (const name of ["typescript", platform]) {
      const mode = constants.COPYFILE_FICLONE
      await cp(join(modules, name), join(ground.root, "node_modules", name), { recursive: true, mode })
    }
    await writeFile(join(ground.root, "a.ts"), "export const wrong: number = 'x'\n")
    const call = testCall()
    const { languages } = servers
    const answer = await languages(call).ask({ action: "diagnostics", path: "a.ts", signal: call.signal })
    expect(answer).toMatchObject({ fresh: true, items: [{ path: "a.ts", line: 1 }] })
    expect(answer.server).toMatch(/^typescript-go 7[.\d]+$/)
    await writeFile(join(ground.root, "a.ts"), "export const right: number = 1\n")
    expect((await languages(call).ask({ action: "diagnostics", path: "a.ts", signal: call.signal })).items).toEqual([])
  })

  test.skipIf(!isNodeShown)(
    "a server writes nothing, reads no secret, sees no variable of the caller and has no network",
    async () => {
      web = createServer((_, response) => response.end("hello"))
      await new Promise<void>((done) => web!.listen(0, "127.0.0.1", done))
      const { port } = web.address() as AddressInfo
      await open((root) => ({
        table: [
          fakeSpec("spy", "/tmp", {
            candidates: [
              {
                where: "project",
                program: "tools/serve",
                arguments: [process.execPath, join(root, "tools/server.mjs"), "spy", "/tmp", root, String(port)],
              },
            ],
          }),
        ],
      }))
      await mkdir(join(ground.root, "tools"))
      await copyFile(fakeScript, join(ground.root, "tools/server.mjs"))
      await writeFile(join(ground.root, "tools/serve"), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 })
      await writeFile(join(ground.root, ".env"), "KEY=abc")
      await writeFile(join(ground.root, "a.fake"), "first\n")
      const call = testCall((path) => path.endsWith("/.env"))
      const request = { action: "hover", path: "a.fake", line: 1, character: 1, signal: call.signal } as const
      const { text } = await servers.languages(call).ask(request)
      expect(JSON.parse(text!)).toEqual({
        write: "EROFS",
        change: "EROFS",
        secret: "EACCES",
        variable: "none",
        network: "none",
      })
      expect((await readdir(ground.root)).sort()).toEqual([".env", "a.fake", "tools"])
      expect(await readFile(join(ground.root, "a.fake"), "utf8")).toBe("first\n")
    },
  )
})
