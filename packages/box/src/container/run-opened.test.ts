import { lstatSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { findOwnProgram, nextProcessTag, type PreparedSandbox, tagName } from "@haft/host"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { BoxJob } from "../backend/backend.js"
import type { Image } from "../image/image.js"
import { checkFiles } from "../job/check-files.js"
import { systemProgramFolders } from "../machine/machine-host.js"
import { afterOpening, runOpened } from "./run-opened.js"

const minute = 60_000
const bwrap = findOwnProgram("bwrap", systemProgramFolders)
// The top folders of this host as they are: links into /usr, or folders.
const links = ["/bin", "/lib", "/lib64"].flatMap((path) =>
  lstatSync(path).isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path],
)

test("the opening line is taken off however the stream is cut, and nothing else", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), fc.array(fc.nat(40)), async (after, cuts) => {
      const stream = afterOpening(Readable.from(cut(Buffer.from(`line\n${after}`), cuts)), "line")
      expect(await text(stream.rest)).toBe(Buffer.from(after).toString())
      expect(stream.isOpen()).toBe(true)
      await stream.opened
    }),
  )
})

test("a stream that begins with something else is told whole and is not open", async () => {
  for (const words of ["", "li", "line", "lime\nrest", "\nline\n", "podman: broken\nline\n"]) {
    for (const cuts of [[], [1], [2, 1]]) {
      const stream = afterOpening(Readable.from(cut(Buffer.from(words), cuts)), "line")
      expect(await text(stream.rest)).toBe(words)
      expect(stream.isOpen()).toBe(false)
    }
  }
})

test("a source that breaks ends the stream", async () => {
  const source = new Readable({ read() {} })
  const stream = afterOpening(source, "line")
  source.push("line\nsome")
  const told = text(stream.rest)
  await stream.opened
  source.destroy(new Error("broken"))
  expect(await told).toBe("some")
})

describe.skipIf(bwrap === undefined)("a job in a sandbox", { timeout: 2 * minute }, () => {
  test("gets its files, and its output and exit code come out", async () => {
    const files = checkFiles({ "a.txt": "relative\n", "/sandbox/s.sh": "#!/bin/sh\necho absolute é", "/tmp/t": "t" })
    const command = "pwd; cat a.txt; /sandbox/s.sh; cat /tmp/t; echo problem >&2; exit 7"
    expect(await runHere(command, { files })).toMatchObject({
      type: "ran",
      stdout: "/work\nrelative\nabsolute é\nt",
      stderr: "problem\n",
      exitCode: 7,
    })
  })

  test("is gone with all that it started when it takes too long or is given up", async () => {
    const late = await runHere("echo begun; (setsid sleep 1000 &); sleep 1000", { timeoutMs: 1_500 })
    expect(late).toMatchObject({ type: "ran", stdout: "begun\n", stderr: "", exitCode: null })
    const abort = new AbortController()
    const given = await runHere("echo up; sleep 1000", { signal: abort.signal, onOutput: () => abort.abort() })
    expect(given).toEqual({ type: "aborted" })
    expect(await runHere("sleep 1000 & echo done")).toMatchObject({ stdout: "done\n", exitCode: 0 })
  })

  test("has an exit code only where it has started: a broken sandbox has none, whatever it says", async () => {
    expect(await runHere("kill -9 $$")).toMatchObject({ type: "ran", exitCode: 137 })
    expect(await runHere("echo 'Error: broken' >&2; exit 125")).toMatchObject({ type: "ran", exitCode: 125 })
    const folder = mkdtempSync(join(tmpdir(), "haft-broken-sandbox-"))
    try {
      const broken = join(folder, "sandbox")
      writeFileSync(broken, "#!/bin/sh\necho 0123456789abcdef0123456789abcdef\necho broken >&2\nexit 0\n", {
        mode: 0o755,
      })
      expect(await runHere("true", {}, broken)).toMatchObject({ type: "crashed", started: false, words: "broken" })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

/** The bytes in pieces of these sizes, and then the rest. */
function cut(bytes: Buffer, sizes: readonly number[]): readonly Buffer[] {
  const pieces: Buffer[] = []
  let at = 0
  for (const size of sizes) {
    pieces.push(bytes.subarray(at, at + size))
    at += size
  }
  return [...pieces, bytes.subarray(at)].filter((piece) => piece.length > 0)
}

/** Runs a job over the files of this host, read-only, with memory where a job writes. */
async function runHere(command: string, changes: Partial<BoxJob> = {}, program = bwrap!) {
  const folder = mkdtempSync(join(tmpdir(), "haft-run-opened-"))
  const signal = new AbortController().signal
  const tag = nextProcessTag()
  const memory = ["/work", "/run", "/tmp", "/home"].flatMap((place) => ["--tmpfs", place])
  const sandbox: PreparedSandbox = {
    isolation: {
      ...{ level: "container", backend: "bwrap", profile: "workspace-write", network: "none" },
      ...{ limits: { enforcedBy: "none" }, notes: [] },
    },
    launch: (argv) => ({
      file: program,
      args: ["--ro-bind", "/usr", "/usr", ...links, ...memory, "--proc", "/proc", "--dev", "/dev", "--", ...argv],
      env: { PATH: "/usr/bin:/bin", HOME: "/home/box", [tagName]: tag },
      ...{ cwd: "/", extraFds: [] },
    }),
    release: async () => ({ quarantined: [] }),
  }
  try {
    const job = { image: {} as Image, command, files: [], timeoutMs: minute, keepBytes: 100_000, signal, ...changes }
    const outcome = await runOpened(
      { ...job, sidecar: { folder, name: "call" } },
      { sandbox, tag, bootMs: minute, began: performance.now() },
    )
    return outcome.type === "ran" ? { ...outcome, stdout: outcome.stdout.text, stderr: outcome.stderr.text } : outcome
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
