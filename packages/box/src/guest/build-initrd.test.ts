import { spawnSync } from "node:child_process"
import { gunzipSync } from "node:zlib"
import { expect, test } from "vitest"
import { agentScript } from "./agent-script.js"
import { buildDrivers, buildInitrd, guestVersion, holdsPerl, perlFiles } from "./build-initrd.js"
import { initApplets, initScript } from "./init-script.js"

const parts = {
  busybox: Buffer.from("busybox"),
  perl: perlFiles.map((path) => ({ path, content: Buffer.from(`of ${path}`) })),
  modules: [
    { name: "virtio", content: Buffer.from("first") },
    { name: "virtio_blk", content: Buffer.from("second one") },
  ],
}

interface Entry {
  readonly path: string
  readonly mode: number
  readonly content: string
}

/** Reads archives that stand one after the other, as the kernel does. */
function entriesOf(archive: Buffer): readonly Entry[] {
  const entries: Entry[] = []
  for (let at = 0; at < archive.length; ) {
    expect(archive.toString("latin1", at, at + 6)).toBe("070701")
    const field = (index: number) =>
      Number.parseInt(archive.toString("latin1", at + 6 + 8 * index, at + 14 + 8 * index), 16)
    const [mode, size, nameLength] = [field(1), field(6), field(11)]
    const path = archive.toString("utf8", at + 110, at + 110 + nameLength - 1)
    const start = Math.ceil((at + 110 + nameLength) / 4) * 4
    if (path !== "TRAILER!!!") entries.push({ path, mode, content: archive.toString("utf8", start, start + size) })
    at = Math.ceil((start + size) / 4) * 4
  }
  return entries
}

test("the initial file system holds the drivers in their order, the applets and Haft's own programs", () => {
  const entries = entriesOf(gunzipSync(buildInitrd(buildDrivers(parts))))
  const byPath = new Map(entries.map((entry) => [entry.path, entry]))
  expect(byPath.get("bin/busybox")).toMatchObject({ content: "busybox", mode: 0o100755 })
  expect(entries.filter(({ path }) => path.startsWith("modules/"))).toMatchObject([
    { path: "modules/00-virtio.ko", content: "first" },
    { path: "modules/01-virtio_blk.ko", content: "second one" },
  ])
  for (const applet of initApplets)
    expect(byPath.get(`bin/${applet}`)).toMatchObject({ content: "busybox", mode: 0o120777 })
  expect(byPath.get("init")).toMatchObject({ content: initScript, mode: 0o100755 })
  expect(byPath.get("agent")).toMatchObject({ content: agentScript })
  expect(byPath.get("lib64/ld-linux-x86-64.so.2")).toMatchObject({
    mode: 0o100755,
    content: "of lib64/ld-linux-x86-64.so.2",
  })
  expect(byPath.has("bin/perl") && byPath.has("dev/console")).toBe(true)
  const paths = entries.map(({ path }) => path)
  expect(paths.indexOf("lib/x86_64-linux-gnu")).toBeLessThan(paths.indexOf("lib/x86_64-linux-gnu/libc.so.6"))
})

test("equal parts give equal bytes", () => {
  expect(buildInitrd(buildDrivers(parts))).toEqual(buildInitrd(buildDrivers(parts)))
  expect(guestVersion()).toMatch(/^[0-9a-f]{16}$/)
})

test("an image that was built without Perl is recognised", () => {
  expect(holdsPerl(buildDrivers(parts))).toBe(true)
  expect(holdsPerl(buildDrivers({ ...parts, perl: [] }))).toBe(false)
})

test("every program that the script of the guest calls is in the guest", () => {
  const builtIn = [
    "break",
    "do",
    "done",
    "echo",
    "exec",
    "exit",
    "export",
    "fi",
    "for",
    "if",
    "printf",
    "read",
    "then",
    "ulimit",
    "wait",
    "while",
  ]
  const script = initScript
  const called = [...script.matchAll(/^\s*([a-z]+)\b(?![=(])/gm)].map((match) => match[1]!)
  const unknown = [...new Set(called)].filter((word) => !builtIn.includes(word) && !initApplets.includes(word as never))
  expect(unknown.filter((word) => !["fail", "tries"].includes(word))).toEqual([])
})

test.runIf(process.platform !== "win32")("the script of the guest is one that a shell understands", () => {
  expect(spawnSync("sh", ["-n"], { input: initScript, encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" })
})
