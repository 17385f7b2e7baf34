import { chownSync, statSync } from "node:fs"
import { join } from "node:path"
import type { Isolation } from "@haft/contract"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type NobodysProgram, nobody, programForNobody } from "../../test/as-nobody.js"
import { backendsHere } from "./testing/installed.js"
import { makeSandboxBench, type RunResult } from "./testing/sandbox-bench.js"

const isRoot = process.getuid?.() === 0
if (!isRoot) console.warn("not tested here: becoming another user needs user 0")

describe.skipIf(!isRoot).each(backendsHere)("as user 0 in a workspace of somebody else, behind %s", (backend) => {
  test("a command is the owner of the workspace, without rights, and what it writes is the owner's", async () => {
    const bench = await makeSandboxBench({ backend })
    chownSync(bench.root, nobody, nobody)
    const { stdout, code, stderr } = await bench.run(
      "id -u; id -G; grep CapEff /proc/self/status | cut -f2; echo x > file; cat /etc/shadow 2>/dev/null; echo y > ~/note && cat ~/note; mkdir -p $XDG_CACHE_HOME && echo cached; unshare -U true 2>/dev/null && echo namespace; mkdir .vscode/x 2>/dev/null || echo held",
    )
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toBe(`${nobody}\n${nobody}\n0000000000000000\ny\ncached\nheld\n`)
    expect(statSync(join(bench.root, "file")).uid).toBe(nobody)
    await bench.close()
  })

  test("no process that it can look into has a folder of the host open", async () => {
    const bench = await makeSandboxBench({ backend })
    chownSync(bench.root, nobody, nobody)
    const folders = 'for one in /proc/[0-9]*/fd/*; do [ -d "$one/." ] && echo "$one"; done; echo end'
    expect((await bench.run(folders)).stdout).toBe("end\n")
    await bench.close()
  })

  test("protected names in folders are taken away, and repositories are the owner's and work", async () => {
    const bench = await makeSandboxBench({ backend })
    chownSync(bench.root, nobody, nobody)
    const { quarantined, stderr } = await bench.run(
      "git init -q sub && echo x > sub/.git/hooks/pre-commit && mkdir sub/.vscode && touch sub/.vscode/x && chmod 000 sub/.vscode",
    )
    expect([quarantined.map(({ path }) => path), stderr]).toEqual([
      [join(bench.root, "sub/.git/hooks/pre-commit"), join(bench.root, "sub/.vscode")],
      "",
    ])
    expect(statSync(join(bench.root, "sub/.git/config")).uid).toBe(nobody)
    expect((await bench.run("git -C sub status --porcelain")).code).toBe(0)
    await bench.close()
  })

  test("setuid programs give nothing back", async () => {
    const bench = await makeSandboxBench({ backend })
    chownSync(bench.root, nobody, nobody)
    const { stdout } = await bench.run(
      "su -c id root </dev/null 2>/dev/null; setpriv --reuid 0 id -u 2>/dev/null; echo end",
    )
    expect(stdout).toBe("end\n")
    await bench.close()
  })
})

describe.skipIf(!isRoot).each(backendsHere)("as an ordinary user, behind %s", (backend) => {
  let program: NobodysProgram
  beforeAll(async () => {
    program = await programForNobody(new URL("./testing/run-lines.ts", import.meta.url))
  })
  afterAll(() => program?.remove())

  type Result = Pick<RunResult, "code" | "stdout" | "stderr" | "failure" | "quarantined" | "note"> & {
    readonly isolation: Isolation
  }
  const runAsNobody = async (lines: readonly string[], quota = "") =>
    (await program.run(backend + quota, ...lines)) as { readonly results: readonly Result[]; readonly left: string[] }

  test("[C2-99] the quota of home and /tmp holds, also for what cannot be found there", async () => {
    const hidden =
      "import ctypes, os, time; ctypes.CDLL(None).prctl(4, 0); f = open('/tmp/f', 'wb'); os.unlink('/tmp/f')"
    const lines = [
      "head -c 30M /dev/zero > /tmp/a; echo below",
      "head -c 4G /dev/zero > /tmp/b; echo over",
      "exec 3> /tmp/f; rm /tmp/f; head -c 4G /dev/zero >&3; sleep 5; echo over",
      "mkdir /tmp/d; exec 3> /tmp/d/f; chmod 000 /tmp/d; head -c 4G /dev/zero >&3; echo over",
      `python3 -c "${hidden}; [f.write(bytes(1 << 20)) for i in range(2000)]; time.sleep(5)"; echo over`,
    ]
    const { results } = await runAsNobody(lines, `:${64 * 1024 ** 2}`)
    expect(results.map(({ stdout }) => stdout)).toEqual(["below\n", "", "", "", ""])
    for (const { failure } of results.slice(1)) expect(failure).toContain("so it was ended")
  })

  test("a folder that a command closes and the next one opens again shows no secret", async () => {
    const { results } = await runAsNobody([
      "mkdir sub other; echo secret > sub/.env; echo secret > other/.env",
      "chmod 000 sub; chmod 644 other",
      "chmod 755 sub other; cat sub/.env other/.env",
    ])
    expect(results[2]!.stdout).toBe("")
  })

  test("a command that closes its folders to everybody keeps no protected name and no held one", async () => {
    const { results, left } = await runAsNobody([
      "touch pnpm-lock.yaml",
      "mkdir -p .npmrc/deep && mkfifo .npmrc/deep/pipe && chmod 000 .npmrc/deep .npmrc && chmod 555 .",
      "echo still",
    ])
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0])
    expect(left).toEqual(["pnpm-lock.yaml"])
  })

  test("protected names in folders are taken away, also where they are closed, and repositories work", async () => {
    const { results, left } = await runAsNobody([
      "git init -q sub && git init -q other && mkdir -p sub/.vscode/deep && touch sub/.vscode/deep/x && echo x > sub/.git/hooks/pre-commit && chmod 000 sub/.vscode/deep && chmod 111 sub/.vscode",
      "git -C sub status --porcelain && git -C other status --porcelain",
      "mkdir -p shut/.vscode && chmod 555 other && chmod 000 shut",
      "mkdir -p open/.vscode && chmod 555 open",
    ])
    const moved = results.map(({ quarantined }) =>
      quarantined.map(({ path, movedTo }) => [path.replace(/^.*\/workspace\//, ""), movedTo !== undefined]),
    )
    expect(moved).toEqual([
      [
        ["sub/.git/hooks/pre-commit", true],
        ["sub/.vscode", true],
      ],
      [],
      [],
      [["open/.vscode", true]],
    ])
    expect(results[1]).toMatchObject({ code: 0, stdout: "", stderr: "" })
    expect(results[2]!.note).toContain("Not all of the workspace was looked through for protected names")
    expect(results[2]!.note).toContain("/shut")
    expect(left.sort()).toEqual(["open", "other", "shut", "sub"])
  })

  test("[C2-99] the same sandboxes stand: view, rights, masks, protected names, no network", async () => {
    const lines = [
      "id -u; grep CapEff /proc/self/status | cut -f2; echo $HOME; ls -A / | tr '\\n' ' '; echo; cut -d: -f1 /proc/net/dev | tail -n +3 | tr -d ' '",
      "echo x > file; echo secret > .env; git init -q 2>/dev/null; for n in .vscode .mcp.json .git; do mkdir $n/x 2>/dev/null && echo made; rmdir $n 2>/dev/null && echo removed; done; touch /usr/x 2>/dev/null || echo refused",
      "cat .env; python3 -c \"open('.env')\" 2>&1 | tail -1; unshare -Ur true 2>/dev/null && echo namespace; echo end",
    ]
    const { results, left } = await runAsNobody(lines)
    const [first, second, third] = results as readonly [Result, Result, Result]
    expect(first.stderr).toBe("")
    const [uid, capabilities, home, top, interfaces] = first.stdout.split("\n")
    expect([uid, capabilities, home, interfaces]).toEqual([String(nobody), "0000000000000000", "/nonexistent", "lo"])
    expect(top!.split(" ")).not.toContain("root")
    expect(second.stdout).toBe("refused\n")
    expect(third.stdout).toMatch(/^(PermissionError.*\n)?end\n$/)
    expect(third.stderr).toContain("Permission denied")
    expect(left.sort()).toEqual([".env", "file"])
    expect(first.isolation.limits.enforcedBy).toBe("rlimit")
  })
})
