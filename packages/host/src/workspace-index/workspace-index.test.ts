import { execFileSync, spawn } from "node:child_process"
import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setImmediate as nextTurn } from "node:timers/promises"
import * as fc from "fast-check"
import { afterEach, describe, expect, test } from "vitest"
import { isOpen } from "../../test/is-open.js"
import { exists } from "../files/system/look.js"
import { defaultObserveLimits } from "../undo/record/observe-limits.js"
import { type Entry, scanWorkspace } from "../undo/record/scan-workspace.js"
import { FoundInDirectories } from "./found-in-directories.js"
import { WorkspaceIndex, type WorkspaceIndexOptions } from "./workspace-index.js"

const limits = { maxMs: 10_000, maxEntries: 200_000 }
const cleanUps: (() => void)[] = []
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp()
})

const conditions: Record<string, WorkspaceIndexOptions["events"]> = {
  "told by events": {},
  "with a full event queue": { queueLength: 4 },
  "with watches refused": { maxWatches: 3 },
}

const start =
  "mkdir -p d/e/f node_modules/p/q .git/objects/aa; echo A > a; echo B > b; ln -s a c; echo DA > d/a; echo DEA > d/e/a; echo N > node_modules/p/n; echo G > .git/HEAD"
const name = fc.constantFrom(
  "a",
  "b",
  "c",
  "d",
  "d/a",
  "d/b",
  "d/e",
  "d/e/a",
  "d/e/f",
  "node_modules",
  "node_modules/p",
)
const two = fc.tuple(name, name)
const line = fc.oneof(
  fc.tuple(fc.nat(99), name).map(([text, path]) => `[ -p ${path} ] || echo ${text} > ${path}`),
  name.map((path) => `rm -rf ${path}`),
  name.map((path) => `mkdir -p ${path}/x/y/z; echo 1 > ${path}/x/y/z/deep`),
  name.map((path) => `rm -rf ${path}; mkfifo ${path}`),
  two.map(([from, to]) => `mv -T ${from} ${to}`),
  two.map(([one, other]) => `mv -T ${one} away && mv -T ${other} ${one} && mv -T away ${other}`),
  two.map(([text, path]) => `ln -sfn ${text} ${path}`),
  two.map(([from, to]) => `ln -f ${from} ${to}`),
  two.map(([from, to]) => `cp -a ${from} ${to}`),
  // Another file of the same size and time in the place of the first.
  name.map(
    (path) =>
      `[ -f ${path} ] && [ ! -e same ] && tr A-Z B-ZA < ${path} > same && touch -r ${path} same && mv same ${path}`,
  ),
  fc.tuple(fc.constantFrom("600", "755", "500", "2755"), name).map(([mode, path]) => `chmod ${mode} ${path}`),
)
const commands = fc.array(
  fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => lines.join("; ")),
  { minLength: 1, maxLength: 4 },
)

describe.each(Object.entries(conditions))("an index %s", (condition, events) => {
  test("knows after random changes what a scan finds", { timeout: 180_000 }, async () => {
    let watching = 0
    await fc.assert(
      fc.asyncProperty(commands, async (lines) => {
        const { root, index } = ground(events)
        shell(root, start)
        await index.look(limits)
        for (const text of lines) {
          shell(root, `${text}; true`)
          const isKnown = await index.look(limits)
          if (!isKnown) await index.refresh(limits)
          expectNames(index)
          if (!isKnown) continue
          watching += 1
          expect(factsOf(index)).toEqual(await scannedFacts(root))
        }
        index.close()
      }),
      { numRuns: 40 },
    )
    if (condition === "with watches refused") expect(watching).toBe(0)
    else expect(watching).toBeGreaterThan(40)
  })

  test("knows what other programs did meanwhile, once they stopped", { timeout: 120_000 }, async () => {
    const { root, index } = ground(events)
    shell(root, start)
    await index.look(limits)
    for (let round = 0; round < 3; round += 1) {
      const script = `for i in $(seq 12); do mkdir -p d/n$i/m/k; echo $i > d/n$i/m/k/f; mv -T d/n$i d/e/o$i; ln -sfn e d/l; rm -f d/l; ln -f a d/e/o$i/h; rm -rf d/e/o$((i - 3)); mv -T d/e swap; mv -T swap d/e; done`
      const other = spawn("bash", ["-c", script], { cwd: root, stdio: "ignore" })
      const ended = new Promise((resolve) => other.once("exit", resolve))
      let isRunning = true
      void ended.then(() => {
        isRunning = false
      })
      while (isRunning) {
        await index.look(limits)
        await nextTurn()
      }
      const isKnown = await index.look(limits)
      if (!isKnown) await index.refresh(limits)
      expectNames(index)
      if (isKnown) expect(factsOf(index)).toEqual(await scannedFacts(root))
    }
  })
})

test("a file that is written through a hard link outside its folder is known as changed", async () => {
  const { root, index } = ground({})
  shell(root, start)
  expect(await index.look(limits)).toBe(true)
  shell(root, "ln a node_modules/p/also; echo longer >> node_modules/p/also")
  expect(await index.look(limits)).toBe(true)
  expect(factsOf(index).get("/a")).toEqual((await scannedFacts(root)).get("/a"))
  shell(root, "echo longer >> node_modules/p/also; rm node_modules/p/also")
  expect(await index.look(limits)).toBe(true)
  expect(factsOf(index).get("/a")?.size).toBe(16)
})

test("a file that is written through a hard link which is gone again is known as changed", async () => {
  const { root, index } = ground({})
  shell(root, start)
  expect(await index.look(limits)).toBe(true)
  shell(root, "ln a d/also; echo longer >> d/also; rm d/also")
  expect(await index.look(limits)).toBe(true)
  expect(factsOf(index).get("/a")?.size).toBe(9)
})

test("a file that is written anew with the same size and time is known as changed", async () => {
  const { root, index } = ground({})
  shell(root, start)
  expect(await index.look(limits)).toBe(true)
  const before = index.get(root)!.facts!.entries.get("a")!
  shell(root, "cp -p a stamp; echo Z > a; touch -r stamp a; rm stamp")
  expect(await index.look(limits)).toBe(true)
  const { ino, size, mtimeMs, ctimeMs } = index.get(root)!.facts!.entries.get("a")!
  expect({ ino, size, mtimeMs }).toEqual({ ino: before.ino, size: before.size, mtimeMs: before.mtimeMs })
  expect(ctimeMs).toBeGreaterThan(before.ctimeMs)
})

test("events alone do not tell of a write through mmap; a reconciliation finds it", async () => {
  const { root, index } = ground({})
  shell(root, start)
  expect(await index.look(limits)).toBe(true)
  const text =
    "import mmap,os,sys\nf=os.open('a',os.O_RDWR)\nm=mmap.mmap(f,2)\nm[0:1]=b'Z'\nm.flush()\nm.close()\nos.close(f)\n"
  execFileSync("python3", ["-c", text], { cwd: root })
  expect(readFileSync(join(root, "a"), "utf8")).toBe("Z\n")
  await index.reconcile(limits)
  const { mtimeMs, ctimeMs } = lstatSync(join(root, "a"))
  expect(index.get(root)?.facts?.entries.get("a")).toMatchObject({ mtimeMs, ctimeMs })
})

test("watches that are refused are given back, and the reason is told", async () => {
  const { root, index } = ground({ maxWatches: 3 })
  shell(root, start)
  expect(await index.watch(limits)).toBe(false)
  expect(index.isWatching()).toBe(false)
  expect(index.whyUnwatched()).toBe("more than 3 directories")
})

test("a queue of the kernel that is really full is noticed", { timeout: 60_000 }, async () => {
  const { root, index } = ground({})
  shell(root, start)
  expect(await index.look(limits)).toBe(true)
  const room = Number(readFileSync("/proc/sys/fs/inotify/max_queued_events", "utf8"))
  // This process is blocked meanwhile and takes nothing from the queue: what is made last is told of by no event.
  const text = `import os\nfor i in range(${room}):\n  p='d/t%d'%i\n  os.close(os.open(p,os.O_CREAT|os.O_WRONLY))\n  os.unlink(p)\nos.mkdir('d/e/late')\nopen('d/e/late/f','w').close()\n`
  execFileSync("python3", ["-c", text], { cwd: root })
  // Until the queue is empty again, a cookie would be dropped like all else, and be missed.
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(await index.look(limits)).toBe(true)
  expectNames(index)
  expect(factsOf(index)).toEqual(await scannedFacts(root))
})

test("a cookie that does not arrive in time leads to a full scan", async () => {
  const { root, index } = ground({ cookieMs: 0 })
  shell(root, start)
  await index.look(limits)
  shell(root, "mkdir -p d/new; echo 1 > d/new/f")
  await index.refresh(limits)
  expectNames(index)
})

test("a folder that is closed and opened again is read again", async () => {
  const { root, index } = ground({})
  shell(root, start)
  await index.look(limits)
  shell(root, "mv d/e d/e2; mkdir d/e; echo new > d/e/later; chmod 0 d/e2; chmod 700 d/e2")
  await index.refresh(limits)
  expectNames(index)
})

test("a build mark that is written later does not hide a folder, one that was there first does", async () => {
  const { root, index } = ground({})
  shell(root, "mkdir out; echo S > out/CACHEDIR.TAG; sleep 0.05; echo x > out/x; mkdir -p src; echo 1 > src/s")
  await index.watch(limits)
  expect(index.unread()).toEqual([join(root, "out")])
  shell(root, "sleep 2.1; echo S > src/CACHEDIR.TAG; chmod 600 out/CACHEDIR.TAG")
  await index.refresh(limits)
  expect(index.unread()).toEqual([])
  expect(namesOf(index).get("/out")).toEqual(["CACHEDIR.TAG file", "x file"])
})

test("a root that is exchanged is not followed", async () => {
  const { root, index } = ground({})
  shell(root, start)
  await index.look(limits)
  renameSync(join(root, "d"), join(root, "d2"))
  mkdirSync(join(root, "d"))
  writeFileSync(join(root, "d", "other"), "")
  utimesSync(join(root, "d"), 1, 1)
  await index.look(limits)
  expectNames(index)
})

test("the process can end while directories are watched", () => {
  const folder = mkdtempSync(join(tmpdir(), "haft-index-"))
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }))
  // The same watch in a process of its own: without `persistent: false` it would not end.
  const text = `import("node:fs").then((fs) => { fs.watch(${JSON.stringify(folder)}, { persistent: false }); console.log("ends") })`
  expect(execFileSync(process.execPath, ["-e", text], { encoding: "utf8", timeout: 10_000 })).toBe("ends\n")
})

describe("the first look on two threads", () => {
  const onTwoThreads = (root: string) => {
    const cookieFolder = `${root}-cookies-${performance.now()}`
    const index = new WorkspaceIndex({ root, cookieFolder, threadFrom: 1 })
    cleanUps.unshift(() => index.close())
    return index
  }

  test("finds in random workspaces what a scan finds", { timeout: 180_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(commands, async (lines) => {
        const { root } = ground({})
        shell(root, `${start}; ${lines.join("; ")}; true`)
        const index = onTwoThreads(root)
        expect(await index.look(limits)).toBe(true)
        expect(factsOf(index)).toEqual(await scannedFacts(root))
        index.close()
      }),
      { numRuns: 25 },
    )
  })

  test("knows what other programs did meanwhile, once they stopped", { timeout: 120_000 }, async () => {
    const { root } = ground({})
    shell(root, `${start}; for i in $(seq 200); do mkdir -p s/$i; echo $i > s/$i/f; echo $i > s/$i/g; done`)
    const script =
      "for i in $(seq 200); do echo 12345 > s/$i/f; rm s/$i/g; ln s/$i/f d/also; echo more >> d/also; rm d/also; mv s/$i d/e/m$i; done"
    for (let round = 0; round < 3; round += 1) {
      const other = spawn("bash", ["-c", script], { cwd: root, stdio: "ignore" })
      const ended = new Promise((resolve) => other.once("exit", resolve))
      const index = onTwoThreads(root)
      expect(await index.look(limits)).toBe(true)
      await ended
      expect(await index.look(limits)).toBe(true)
      expect(factsOf(index)).toEqual(await scannedFacts(root))
      index.close()
      shell(root, "mkdir -p s; for i in $(seq 200); do mv d/e/m$i s/$i; echo 1 > s/$i/g; done")
    }
  })

  test("an index that is closed meanwhile says so and ends its thread", async () => {
    const { root } = ground({})
    shell(root, "for i in $(seq 100); do mkdir d$i; echo $i > d$i/f; done")
    const index = onTwoThreads(root)
    const looked = index.look(limits)
    setImmediate(() => index.close())
    expect(await looked).toBe(false)
  })
})

function ground(events: WorkspaceIndexOptions["events"]) {
  const folder = mkdtempSync(join(tmpdir(), "haft-index-"))
  const root = join(folder, "root")
  mkdirSync(root)
  const index = new WorkspaceIndex({ root, cookieFolder: join(folder, "cookies"), ...(events && { events }) })
  cleanUps.push(() => {
    index.close()
    execFileSync("chmod", ["-R", "u+rwx", folder])
    rmSync(folder, { recursive: true, force: true })
  })
  return { root, index }
}

function shell(cwd: string, text: string): void {
  execFileSync("bash", ["-c", text], { cwd, stdio: "ignore", timeout: 10_000 })
}

/** Without events a change deep in installed packages is seen only when a package manager has ended its work. */
function expectNames(index: WorkspaceIndex): void {
  const isChecked = (path: string) => index.isWatching() || !/\/(node_modules|objects)(\/|$)/.test(path)
  const checked = (names: ReadonlyMap<string, readonly string[]>) => [...names].filter(([path]) => isChecked(path))
  expect(checked(namesOf(index))).toEqual(checked(namesIn(index.root)))
}

/** The names in each directory, by path below the root. */
function namesOf(index: WorkspaceIndex): ReadonlyMap<string, readonly string[]> {
  const found = [...index.all()].map(
    ({ path, entries }) =>
      [path.slice(index.root.length), [...entries].map((entry) => `${entry.name} ${entry.kind}`).sort()] as const,
  )
  return new Map(found.sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** The same by a plain walk. */
function namesIn(root: string): ReadonlyMap<string, readonly string[]> {
  const found: [string, readonly string[]][] = []
  const pending = [""]
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const entries = isOpen(root + path) ? readdirSync(root + path, { withFileTypes: true }) : []
    const kinds = entries.map((entry) => {
      if (entry.isDirectory()) pending.push(`${path}/${entry.name}`)
      const kind = entry.isFile() ? "file" : entry.isDirectory() ? "directory" : "link"
      return `${entry.name} ${entry.isFIFO() ? "special" : kind}`
    })
    found.push([path, kinds.sort()])
  }
  return new Map(found.sort(([one], [other]) => (one < other ? -1 : 1)))
}

type Facts = ReadonlyMap<string, Partial<Entry>>

function factsOf(index: WorkspaceIndex): Facts {
  const found = new Map<string, Partial<Entry>>()
  for (const { path, facts } of index.all()) {
    for (const [name, entry] of facts?.entries ?? [])
      found.set(`${path.slice(index.root.length)}/${name}`, plain(entry))
  }
  return found
}

async function scannedFacts(root: string): Promise<Facts> {
  const scanned = await scanWorkspace([root], { ...defaultObserveLimits, scanMs: 20_000 })
  scanned!.delete(root)
  return new Map([...scanned!].map(([path, entry]) => [path.slice(root.length), plain(entry)]))
}

/**
 * Of a folder only its mode counts, and of a package the time of its last change. A hard link that came and went changes
 * nothing of a file but the time of its last change, and no event tells of that.
 */
function plain({ closed: _, ctimeMs: __, ...entry }: Entry): Partial<Entry> {
  if (entry.kind !== "directory") return entry
  const { kind, within, ino, mode, mtimeMs } = entry
  return { kind, within, ino, mode, ...(within === "packages" && { mtimeMs }) }
}

describe("the first scan", () => {
  function listed() {
    const base = mkdtempSync(join(tmpdir(), "haft-index-"))
    const root = join(base, "root")
    mkdirSync(join(root, "one", "two"), { recursive: true })
    writeFileSync(join(root, "one", "two", "file"), "text")
    const index = new WorkspaceIndex({ root, cookieFolder: join(base, "cookies") })
    cleanUps.push(() => {
      index.close()
      rmSync(base, { recursive: true, force: true })
    })
    return { root, index }
  }
  const namesIn = (index: WorkspaceIndex, path: string) => index.get(path)?.entries.files

  test("reads names alone, and a look adds what is known of files without asking finders again", async () => {
    const { root, index } = listed()
    const asked: string[] = []
    const found = new FoundInDirectories([index], ({ path }) => {
      asked.push(path)
      return undefined
    })
    await index.refresh(limits)
    found.values()
    expect(asked.sort()).toEqual([root, join(root, "one"), join(root, "one", "two")])
    expect(index.get(join(root, "one", "two"))?.stats).toBeUndefined()
    await index.look(limits)
    found.values()
    expect(asked.filter((path) => path !== root)).toHaveLength(2)
    expect(index.get(join(root, "one", "two"))?.facts?.entries.get("file")?.size).toBe(4)
  })

  test("is not trusted by the next one: a folder in the place of another is read", async () => {
    const { root, index } = listed()
    await index.refresh(limits)
    renameSync(join(root, "one", "two"), join(root, "away"))
    mkdirSync(join(root, "one", "two"))
    writeFileSync(join(root, "one", "two", "other"), "")
    await index.refresh(limits)
    expect(namesIn(index, join(root, "one", "two"))).toEqual(["other"])
    expect(namesIn(index, join(root, "away"))).toEqual(["file"])
  })

  test.each([
    ["is exchanged for another one and put back", (root: string) => renameSync(root, `${root}-away`)],
    [
      "is exchanged with the folder that it is in",
      (root: string) => renameSync(join(root, ".."), `${root}/../../aside`),
    ],
  ])("knows the right names when the root %s while they are read", async (_, takeAway) => {
    const base = mkdtempSync(join(tmpdir(), "haft-exchanged-"))
    const root = join(base, "folder", "root")
    for (let number = 0; number < 2000; number += 1) {
      mkdirSync(join(root, `d${number}`), { recursive: true })
      writeFileSync(join(root, `d${number}`, "right"), "")
    }
    const descriptor = openSync(root, constants.O_DIRECTORY)
    cleanUps.push(() => {
      closeSync(descriptor)
      rmSync(base, { recursive: true, force: true })
    })
    // Times that are older than a tick of the clock tell whether something changed since.
    await new Promise((resolve) => setTimeout(resolve, 50))
    const at = (path: string) => `/proc/self/fd/${descriptor}/.${path.slice(root.length)}`
    const index = new WorkspaceIndex({ root, at, cookieFolder: join(base, "cookies") })
    cleanUps.push(() => index.close())
    let isOver = false
    const looking = index.look(limits).finally(() => {
      isOver = true
    })
    await nextTurn()
    takeAway(root)
    mkdirSync(join(root, "d5"), { recursive: true })
    writeFileSync(join(root, "d5", "wrong"), "")
    for (let turn = 0; turn < 3; turn += 1) await nextTurn()
    expect(isOver).toBe(false)
    putBack(base)
    await looking
    for (let number = 0; number < 2000; number += 1) {
      expect(namesIn(index, join(root, `d${number}`))).toEqual(["right"])
    }
  })
})

/** The directory that was taken away is in its place again. */
function putBack(base: string): void {
  const away = [join(base, "folder", "root-away"), join(base, "aside")].find((path) => exists(path))!
  const place = away.endsWith("root-away") ? join(base, "folder", "root") : join(base, "folder")
  renameSync(place, join(base, "wrong"))
  renameSync(away, place)
}
