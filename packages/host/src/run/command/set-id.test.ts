import { execFileSync } from "node:child_process"
import { chmodSync, copyFileSync, mkdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type NobodysProgram, nobody, programForNobody } from "../../../test/as-nobody.js"
import { backendsHere } from "../../sandbox/testing/installed.js"
import { openObservedSession } from "./testing/observed-session.js"

const isRoot = process.getuid?.() === 0
if (!isRoot) console.warn("not tested here: becoming another user needs user 0")

/** Ways to get a set-user-id file called `s`; each works on a machine without a sandbox. */
const ways: readonly (readonly [string, string])[] = [
  ["chmod", "cp /bin/sh s; chmod 4755 s"],
  ["chmod of both bits", "cp /bin/sh s; chmod 6755 s"],
  ["chmod of the group's bit", "cp /bin/sh s; chmod 2755 s"],
  ["install", "install -m 4755 /bin/sh s"],
  ["open", `/usr/bin/python3 -c "import os; os.umask(0); os.open('s', os.O_CREAT | os.O_WRONLY, 0o4755)"`],
  ["mknod", `/usr/bin/python3 -c "import os; os.umask(0); os.mknod('s', 0o104755)"`],
  ["fchmod", `/usr/bin/python3 -c "import os; f = os.open('s', os.O_CREAT | os.O_WRONLY); os.fchmod(f, 0o4755)"`],
  [
    "the number of fchmodat2",
    `: > s; /usr/bin/python3 -c "import ctypes; ctypes.CDLL(None).syscall(452, -100, b's', 0o4755, 0)"`,
  ],
  ["a file from another place", "cp /bin/sh ~/s; chmod 4755 ~/s; mv ~/s s"],
  ["an archive", "mkdir ~/d; cp /bin/sh ~/d/s; chmod 4755 ~/d/s; tar cf ~/a.tar -C ~/d s; tar xpf ~/a.tar"],
  ["a folder", "mkdir -p deep/er; cp /bin/sh deep/er/s; chmod 4755 deep/er/s; ln deep/er/s s"],
  [
    "installed packages",
    "mkdir -p node_modules/p/deep; cp /bin/sh node_modules/p/deep/s; chmod 4755 node_modules/p/deep/s",
  ],
  ["objects of git", "cd ..; mkdir -p .git/objects/aa; cp /bin/sh .git/objects/aa/s; chmod 4755 .git/objects/aa/s"],
  ["a name that is no text", `n=$(printf 's\\377'); cp /bin/sh "$n"; chmod 4755 "$n"`],
]

/** All of them, each in a folder and a home of its own, and what shows that they ran. */
const all = ways
  .map(([, line], index) => `mkdir -p way${index}/home; (cd way${index}; HOME=$PWD/home; ${line}) 2>/dev/null`)
  .join("; ")
const find = "find . -type f -perm /6000"

describe.skipIf(!isRoot).each(backendsHere)("no file lets others become the caller: %s", (backend) => {
  test.each(["root", "owner"])("as %s, by a command, a job or an interpreter", async (identity) => {
    const session = await openObservedSession(backend)
    try {
      execFileSync("git", ["init", "-q", session.root])
      if (identity === "owner") execFileSync("chown", ["-R", `${nobody}:${nobody}`, session.root])
      const { changes } = await session.run(`${all}; echo made > made`)
      expect(changes.written).toContain("made")
      const left = execFileSync("bash", ["-c", find], { cwd: session.root, encoding: "utf8" })
      expect(left).toBe("")
      // With a filter only the group's bit is left to take back, which a folder may have.
      const others = backend === "unshare" ? / and \d\d more were removed/ : /bits of "way2\/s" were removed/
      expect(changes.note).toMatch(others)
      const made = await session.runJob("cp /bin/sh s; chmod 2755 s; cp /bin/sh t; chmod 4755 t; true")
      expect(made.quarantined?.join()).toMatch(/bits of "s"( and 1 more)? were removed/)
      await session.evaluate("cp /bin/sh u; chmod 4755 u")
      expect(execFileSync("bash", ["-c", `ls s t; ${find}`], { cwd: session.root, encoding: "utf8" })).toBe("s\nt\n")
    } finally {
      await session.close()
    }
  })

  test("what was there and what a command only moves with its folder stays as it is", async () => {
    const session = await openObservedSession(backend)
    try {
      mkdirSync(join(session.root, "rootfs"))
      copyFileSync("/bin/true", join(session.root, "rootfs/su"))
      chmodSync(join(session.root, "rootfs/su"), 0o4755)
      const { changes } = await session.run(
        "mv rootfs image; git init -q --shared=group repository; mkdir -m 2775 shared",
      )
      expect(changes.note).toBeUndefined()
      expect(statSync(join(session.root, "image/su")).mode & 0o7777).toBe(0o4755)
      expect(statSync(join(session.root, "shared")).mode & 0o7777).toBe(0o2775)
      expect(statSync(join(session.root, "repository/.git/refs")).mode & 0o2000).toBe(0o2000)
      writeFileSync(join(session.root, "image/su"), "other")
      chmodSync(join(session.root, "image/su"), 0o4755)
      await session.run("true; echo x >> image/su")
      expect(statSync(join(session.root, "image/su")).mode & 0o6000).toBe(0)
    } finally {
      await session.close()
    }
  })
})

describe.skipIf(!isRoot).each(backendsHere)("as an ordinary user, behind %s", (backend) => {
  let program: NobodysProgram
  beforeAll(async () => {
    program = await programForNobody(new URL("./testing/run-observed.ts", import.meta.url))
  })
  afterAll(() => program?.remove())

  test("no file lets others become the caller", async () => {
    const lines = ['host git init -q "$1"', `${all}; echo made > made`, `host cd "$1"; cat made; ${find}`]
    const job = ["job cp /bin/sh s; chmod 4755 s; chmod 2755 s; true", `host cd "$1"; ls s; ${find}`]
    const results = (await program.run(backend, ...lines, ...job)) as unknown[]
    expect([results[2], results[4]]).toEqual(["made\n", "s\n"])
  })
})
