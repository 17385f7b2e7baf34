import { chmodSync, chownSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { ToolError } from "@haft/contract"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { backendsHere } from "../testing/installed.js"
import { makePrewarmBench, type PrewarmBench, waiters } from "../testing/prewarm-bench.js"

const withRelay = { sandbox: { profile: "workspace-write+net", hosts: ["127.0.0.1:9"] } } as const
const nobody = 65534
const isRoot = process.getuid?.() === 0

// A shell prints nothing for SIGINT and SIGPIPE, so that they cannot be distinguished from an exit code.
const ends: readonly (readonly [string, { exitCode: number | null; signal?: string }])[] = [
  ["kill -HUP $$", { exitCode: null, signal: "SIGHUP" }],
  ["kill -TERM $$", { exitCode: null, signal: "SIGTERM" }],
  ["kill -KILL $$", { exitCode: null, signal: "SIGKILL" }],
  ["kill -SEGV $$", { exitCode: null, signal: "SIGSEGV" }],
  ["kill -ABRT $$", { exitCode: null, signal: "SIGABRT" }],
  ["kill -USR1 $$", { exitCode: null, signal: "SIGUSR1" }],
  ["kill -INT $$", { exitCode: 130 }],
  ["kill -PIPE $$", { exitCode: 141 }],
  ["exit 137", { exitCode: 137 }],
  ["exit 255", { exitCode: 255 }],
  ["sh -c 'kill -9 $$'; exit", { exitCode: 137 }],
  ["echo Killed >&2; exit 137", { exitCode: 137 }],
  [
    "for one in 3 4 5 6 7 8; do echo Killed >&$one; echo failed 127 >&$one; done 2>/dev/null; exit 137",
    { exitCode: 137 },
  ],
  ["no-such-program-anywhere 2>/dev/null", { exitCode: 127 }],
  ["exit 126", { exitCode: 126 }],
]

const starts: readonly (readonly [string, readonly string[], string, string])[] = [
  ["an absent file", ["./absent"], "not_found", 'Cannot run "./absent": there is no such program'],
  ["a folder", ["./folder"], "denied", 'Cannot run "./folder": it is not executable'],
  ["a file without the right", ["./plain", "x"], "denied", 'Cannot run "./plain": it is not executable'],
  ["a script of an absent interpreter", ["./orphan"], "not_found", 'Cannot run "./orphan": there is no such program'],
]

const identities = [...(isRoot ? (["owner of another user"] as const) : []), "the caller"] as const

describe.each(backendsHere)("behind %s", (backend) => {
  describe.each(identities)("as %s", (identity) => {
    let bench: PrewarmBench
    beforeAll(async () => {
      bench = await makePrewarmBench({ backend, netGrants: ["127.0.0.1:9"] })
      writeFileSync(join(bench.root, "plain"), "echo ran > ran\n")
      writeFileSync(join(bench.root, "orphan"), "#!/nonexistent/interpreter\n")
      chmodSync(join(bench.root, "orphan"), 0o755)
      mkdirSync(join(bench.root, "folder"))
      if (identity !== "the caller") chownSync(bench.root, nobody, nobody)
    })
    afterAll(() => bench.close())

    test.each(identity === "the caller" ? ends : ends.slice(0, 3))("%s", async (line, expected) => {
      expect(endOf(await bench.run(line, { sandbox: { profile: "workspace-write" } }))).toEqual(expected)
    })

    test.each(starts)("%s is an error of starting it", async (_, argv, code, words) => {
      const failed = await failure(bench.run("", { argv, sandbox: { profile: "workspace-write" } }))
      expect(failed).toMatchObject({ code, message: expect.stringContaining(words) })
    })

    test("with the relay to the network ends are told as well", async () => {
      expect(endOf(await bench.run("kill -9 $$", withRelay))).toEqual({ exitCode: null, signal: "SIGKILL" })
      expect(endOf(await bench.run("exit 137", withRelay))).toEqual({ exitCode: 137 })
      expect(await failure(bench.run("", { argv: ["./plain"], ...withRelay }))).toMatchObject({ code: "denied" })
    })

    test.each(identity === "the caller" ? ends : ends.slice(0, 1))(
      "in a sandbox that was started ahead: %s",
      async (line, expected) => {
        await bench.warmUp()
        const end = await bench.run(line)
        expect(end.isWarm).toBe(true)
        expect(endOf(end)).toEqual(expected)
      },
    )

    test.each(starts.slice(1))(
      "in a sandbox that was started ahead: %s is an error of starting it",
      async (_, [program], code, words) => {
        const path = join(bench.root, "tool")
        writeFileSync(path, "#!/bin/sh\n")
        chmodSync(path, 0o755)
        await bench.warmUp({ argv: [path] })
        rmSync(path)
        renameSync(join(bench.root, program!), path)
        const failed = await failure(bench.run("", { argv: [path] }))
        const isTaken = waiters().length === 0
        renameSync(path, join(bench.root, program!))
        expect(failed).toMatchObject({ code, message: expect.stringContaining(words.replace(program!, path)) })
        expect(isTaken).toBe(true)
      },
    )
  })
})

function endOf({ exitCode, signal }: { readonly exitCode: number | null; readonly signal?: string }) {
  return { exitCode, ...(signal !== undefined && { signal }) }
}

async function failure(work: Promise<unknown>): Promise<ToolError> {
  const value = await work.then(
    (ended) => ({ ended }),
    (error: ToolError) => error,
  )
  if ("ended" in value) throw new Error(`it worked: ${JSON.stringify(value.ended)}`)
  return value
}
