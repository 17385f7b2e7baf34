import { execFileSync } from "node:child_process"
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as fc from "fast-check"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { WorkspaceIndex } from "../../workspace-index/index.js"
import { createMasks, createUnreadLook } from "./find-masks.js"

const limits = { maxMs: 5000, maxEntries: 100_000 }
let root: string
let index: WorkspaceIndex
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "haft-masks-")))
  index = new WorkspaceIndex({ root })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const put = (path: string, text = "") => {
  mkdirSync(join(root, path, ".."), { recursive: true })
  writeFileSync(join(root, path), text)
}
const reads = (pattern: RegExp) => (kind: string, path: string) => kind === "fs.read" && pattern.test(path)
const targets = async (denies: (kind: string, path: string) => boolean, rulesKey?: unknown) => {
  await index.refresh(limits)
  const { mounts } = createMasks([index])({ denies, rulesKey })
  return mounts.map((mount) => mount.target.slice(root.length + 1))
}

describe("masks", () => {
  test("cover what rules deny, the outermost folder once", async () => {
    put("a/.env")
    put("a/keys/one")
    put("a/keys/two/.env")
    expect(await targets(reads(/\/(\.env|keys)(\/|$)/))).toEqual(["a/.env", "a/keys"])
  })

  test("cover the target of a link, and nothing for a link that leads nowhere", async () => {
    put("real/secret")
    symlinkSync("real/secret", join(root, "alias.key"))
    symlinkSync("/nonexistent", join(root, "broken.key"))
    expect(await targets(reads(/\.key$/))).toEqual(["real/secret"])
  })

  test("follow a link to what comes to be where it leads, also in another folder", async () => {
    put("real/other")
    symlinkSync("real/secret", join(root, "alias.key"))
    const find = createMasks([index])
    const rules = { denies: reads(/\.key$/), rulesKey: 1 }
    await index.refresh(limits)
    await new Promise((resolve) => setTimeout(resolve, 30))
    await index.refresh(limits)
    expect(find(rules).mounts).toEqual([])
    put("real/secret")
    await index.refresh(limits)
    expect(find(rules).mounts.map(({ target }) => target)).toEqual([join(root, "real/secret")])
  })

  test("cover FIFOs whatever the rules say", async () => {
    execFileSync("mkfifo", [join(root, "pipe")])
    expect(await targets(() => false)).toEqual(["pipe"])
  })

  test("follow what is created, removed and renamed between commands", async () => {
    const secret = reads(/\.key$/)
    put("deep/er/a.key")
    expect(await targets(secret)).toEqual(["deep/er/a.key"])
    put("deep/er/b.key")
    put("new/c.key")
    expect(await targets(secret)).toEqual(["deep/er/a.key", "deep/er/b.key", "new/c.key"])
    rmSync(join(root, "deep"), { recursive: true })
    expect(await targets(secret)).toEqual(["new/c.key"])
  })

  test("see a file that came without the folder's time of change telling it", async () => {
    put("a/x")
    const find = createMasks([index])
    await index.refresh(limits)
    find({ denies: reads(/\.key$/), rulesKey: 1 })
    put("a/late.key")
    utimesSync(join(root, "a"), new Date(0), new Date(0))
    await index.refresh(limits)
    expect(find({ denies: reads(/\.key$/), rulesKey: 1 }).mounts).toHaveLength(1)
  })

  test("are judged again when the rules are others, and not again when they are the same", async () => {
    put("a.key")
    const find = createMasks([index])
    await index.refresh({ ...limits })
    await new Promise((resolve) => setTimeout(resolve, 30))
    await index.refresh(limits)
    let asked = 0
    const denies = (kind: string, path: string) => {
      asked += 1
      return kind === "fs.read" && path.endsWith(".key")
    }
    expect(find({ denies, rulesKey: "one" }).mounts).toHaveLength(1)
    const first = asked
    expect(find({ denies, rulesKey: "one" }).mounts).toHaveLength(1)
    expect(asked).toBe(first)
    expect(find({ denies: () => false, rulesKey: "two" }).mounts).toHaveLength(0)
  })

  test("leave folders that tools fill to the look through them", async () => {
    put("node_modules/x/.env")
    put("env/pyvenv.cfg")
    put("target/CACHEDIR.TAG")
    put(".git/objects/aa/.env")
    // A folder is filled for longer than one tick of the clock of files.
    await new Promise((resolve) => setTimeout(resolve, 30))
    put("env/.env")
    put("target/.env")
    await index.refresh(limits)
    const { mounts, notes, complete } = createMasks([index])({ denies: reads(/\.env$/) })
    expect([mounts, notes, complete]).toEqual([[], [], true])
    expect(index.unread().map((path) => path.slice(root.length + 1))).toEqual(
      expect.arrayContaining([".git/objects", "env", "node_modules", "target"]),
    )
  })

  test("a mark that came later than its folder does not keep what is in it from being masked", async () => {
    put("service/.env")
    put("readme")
    await new Promise((resolve) => setTimeout(resolve, 2100))
    put("service/CACHEDIR.TAG")
    renameSync(join(root, "readme"), join(root, "service/pyvenv.cfg"))
    await index.refresh(limits)
    const { mounts } = createMasks([index])({ denies: reads(/\.env$/) })
    expect(mounts.map(({ target }) => target)).toEqual([join(root, "service/.env")])
    expect(index.unread()).toEqual([])
  })

  test("what a link leads to outside the root is never shown for the sake of not being written", async () => {
    const outside = realpathSync(mkdtempSync(join(tmpdir(), "haft-outside-")))
    symlinkSync(outside, join(root, "out"))
    put("inside")
    symlinkSync("inside", join(root, "in"))
    await index.refresh(limits)
    const { mounts } = createMasks([index])({
      denies: (kind, path) => kind === "fs.write" && !path.endsWith("/inside"),
    })
    expect(mounts).toEqual([{ kind: "read", source: join(root, "inside"), target: join(root, "inside") }])
    rmSync(outside, { recursive: true })
  })

  test("too many files are said and count as incomplete", async () => {
    for (let number = 0; number < 30; number += 1) put(`d/${number}.key`)
    await index.refresh({ ...limits, maxEntries: 10 })
    expect(createMasks([index])({ denies: () => false })).toMatchObject({
      complete: false,
      notes: [expect.stringContaining("10 entries")],
    })
  })

  test("when writing is denied for more files than mounts can hold, the whole root is read-only", async () => {
    for (let number = 0; number < 2100; number += 1) writeFileSync(join(root, `${number}`), "")
    await index.refresh(limits)
    const { freezeRoot, mounts } = createMasks([index])({ denies: (kind) => kind === "fs.write" })
    expect([freezeRoot, mounts]).toEqual([true, []])
  })
})

describe.each([
  ["told by events", {}],
  ["with a full event queue", { queueLength: 4 }],
  ["with watches refused", { maxWatches: 2 }],
] as const)("an index %s", (condition, events) => {
  test("gives after random changes by other programs the masks that a first scan gives", {
    timeout: 120_000,
  }, async () => {
    const isWatched = condition !== "with watches refused"
    let covered = 0
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 4 }), async (lines) => {
        const folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-masks-")))
        const place = join(folder, "root")
        mkdirSync(place)
        const kept = new WorkspaceIndex({ root: place, cookieFolder: join(folder, "cookies"), events })
        try {
          execFileSync("bash", ["-c", start], { cwd: place })
          await kept.watch(limits)
          const find = finder(kept)
          for (const text of lines) {
            execFileSync("bash", ["-c", `${text}; true`], { cwd: place, stdio: "ignore", timeout: 20_000 })
            await kept.refresh(limits)
            const first = new WorkspaceIndex({ root: place })
            await first.refresh(limits)
            // Without events a change deep in installed packages is seen when a package manager has ended its work.
            const isCompared = (target: string) => isWatched || !target.includes("/node_modules/")
            const found = find().filter(isCompared)
            expect(found).toEqual(finder(first)().filter(isCompared))
            covered += found.length
          }
        } finally {
          kept.close()
          execFileSync("chmod", ["-R", "u+rwx", folder])
          rmSync(folder, { recursive: true, force: true })
        }
      }),
      { numRuns: 40 },
    )
    expect(covered).toBeGreaterThan(40)
  })
})

const start =
  "mkdir -p d/e/f node_modules/p; echo 1 > a.key; echo 2 > b; ln -s b c.key; echo 3 > d/a.key; echo 4 > node_modules/p/a.key"
const name = fc.constantFrom(
  "a.key",
  "b",
  "c.key",
  "d",
  "d/a.key",
  "d/e",
  "d/e/f",
  "node_modules/p",
  "node_modules/p/a.key",
)
const two = fc.tuple(name, name)
const command = fc
  .array(
    fc.oneof(
      name.map((path) => `[ -p ${path} ] || echo x > ${path}`),
      name.map((path) => `rm -rf ${path}`),
      name.map((path) => `mkdir -p ${path}/x/y; echo 1 > ${path}/x/y/deep.key`),
      name.map((path) => `rm -rf ${path}; mkfifo ${path}`),
      two.map(([from, to]) => `mv -T ${from} ${to}`),
      two.map(([one, other]) => `mv -T ${one} away && mv -T ${other} ${one} && mv -T away ${other}`),
      two.map(([text, path]) => `ln -sfn ${text} ${path}`),
      two.map(([from, to]) => `ln -f ${from} ${to}`),
      fc.tuple(fc.constantFrom("0", "600", "755"), name).map(([mode, path]) => `chmod ${mode} ${path}`),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((lines) => lines.join("; "))

function finder(index: WorkspaceIndex): () => readonly string[] {
  const findMasks = createMasks([index])
  const lookThrough = createUnreadLook([index])
  const rules = { denies: reads(/\.key$/), rulesKey: "rules" }
  return () => {
    const { mounts } = lookThrough(findMasks(rules), rules)
    return mounts.map((mount) => `${mount.kind} ${mount.target}`).sort()
  }
}
