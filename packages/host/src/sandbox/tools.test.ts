import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { backendsHere, isInstalled } from "./testing/installed.js"
import { makeSandboxBench, type SandboxBench } from "./testing/sandbox-bench.js"

describe.skipIf(!backendsHere.includes("bwrap"))("ordinary tools work inside the sandbox", () => {
  let bench: SandboxBench
  beforeEach(async () => {
    bench = await makeSandboxBench()
  })
  afterEach(() => bench.close())

  const file = (path: string, text: string) => {
    mkdirSync(join(bench.root, path, ".."), { recursive: true })
    writeFileSync(join(bench.root, path), text)
  }

  test.skipIf(!isInstalled("npm"))("npm installs a local package and runs the tests", async () => {
    file("part/package.json", JSON.stringify({ name: "part", version: "1.0.0", main: "index.js" }))
    file("part/index.js", "module.exports = 42")
    file("package.json", JSON.stringify({ name: "whole", version: "1.0.0", scripts: { test: "node check.js" } }))
    file("check.js", "if (require('part') !== 42) process.exit(1); console.log('checked')")
    const { code, stdout, stderr } = await bench.run("npm install --offline --no-audit ./part && npm test")
    expect([code, stderr]).toEqual([0, expect.any(String)])
    expect(stdout).toContain("checked")
  })

  test.skipIf(!isInstalled("npm"))(
    "npm does not warn of settings, and pnpm alone is told where its store is",
    async () => {
      const { code, stdout, stderr } = await bench.run(
        "npm config get cache; env | grep -c ^npm_config_store; echo $PNPM_HOME $pnpm_config_store_dir",
      )
      expect([code, stderr]).toEqual([0, ""])
      const cache = join(bench.haftHome, "cache", "w1")
      expect(stdout).toBe(`${join(cache, "npm")}\n0\n${join(cache, "pnpm")} ${join(cache, "pnpm", "store")}\n`)
    },
  )

  test("a home directory that grew past its size is emptied before the next command, which says so", async () => {
    const small = await makeSandboxBench({ limits: { homeBytes: 1_000_000 } })
    await small.run("head -c 3000000 /dev/zero > ~/large")
    const { stdout, sandbox } = await small.run("ls ~; echo end")
    expect(stdout).toBe("end\n")
    expect(sandbox.isolation.notes).toContainEqual(expect.stringContaining("were emptied"))
    await small.close()
  })

  test.skipIf(!isInstalled("python3"))("python makes a virtual environment and runs in it", async () => {
    const { code, stdout, stderr } = await bench.run(
      "python3 -m venv --without-pip env && env/bin/python -c 'import sys; print(sys.prefix)' && python3 -c 'import multiprocessing, os; print(len(os.sched_getaffinity(0)) > 0)'",
    )
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toBe(`${join(bench.root, "env")}\nTrue\n`)
  })

  test.skipIf(!isInstalled("cargo"))(
    "cargo builds and runs, and keeps its cache outside the home directory",
    async () => {
      file("Cargo.toml", '[package]\nname = "hello"\nversion = "0.1.0"\nedition = "2021"\n')
      file("src/main.rs", 'fn main() { println!("built") }')
      const { code, stdout, stderr } = await bench.run("cargo build --offline -q && ./target/debug/hello")
      expect([code, stderr]).toEqual([0, ""])
      expect(stdout).toBe("built\n")
    },
  )

  test.skipIf(!isInstalled("python3"))(
    "[C2-94] unix sockets are refused, pairs work unless they could send to any path, the internet family works",
    async () => {
      const { stdout } = await bench.run(`python3 - <<'PY'
import socket
def tried(make):
    try:
        make(); return "ok"
    except OSError as error:
        return error.errno
print(tried(lambda: socket.socket(socket.AF_UNIX)), tried(socket.socketpair), tried(lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)), tried(lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)), tried(lambda: socket.socket(socket.AF_INET)), tried(lambda: socket.socket(40, socket.SOCK_STREAM)))
PY`)
      expect(stdout).toBe("1 ok ok 1 ok 97\n")
    },
  )

  test.skipIf(!isInstalled("python3"))("unix sockets work where the user lifts that one filter", async () => {
    const lifted = await makeSandboxBench({ unixSockets: true })
    const { stdout } = await lifted.run(
      `python3 -c "import socket; s = socket.socket(socket.AF_UNIX); s.bind('/tmp/s'); print('bound')"; unshare -U true 2>/dev/null && echo namespace`,
    )
    expect(stdout).toBe("bound\n")
    await lifted.close()
  })

  test.skipIf(!isInstalled("python3"))(
    "[C2-94] typing into a terminal, tracing and io_uring are refused by the filter",
    async () => {
      const { stdout } = await bench.run(`python3 - <<'PY'
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *arguments):
    ctypes.set_errno(0)
    libc.syscall(number, *arguments)
    return ctypes.get_errno()
machine = os.uname().machine
numbers = {"x86_64": (16, 101, 425, 272, 435), "aarch64": (29, 117, 425, 97, 435)}[machine]
print(call(numbers[0], 0, 0x5412, 0), call(numbers[1], 0, 0, 0, 0), call(numbers[2], 1, 0), call(numbers[3], 0x10000000), call(numbers[4], 0, 0))
PY`)
      expect(stdout).toBe("1 1 1 1 38\n")
    },
  )

  test("the home directory is private, keeps its path and its content for the session, and has no credentials", async () => {
    await bench.run("echo kept > ~/note; git config --global alias.x '!sh'")
    const { stdout } = await bench.run(
      "echo $HOME; cat ~/note; git config --global --get commit.gpgsign; git config --global --get alias.x; echo end",
    )
    expect(stdout).toBe(`${process.env.HOME}\nkept\nfalse\nend\n`)
  })

  test("scratch is shared with the session, outputs can be read but not written", async () => {
    const session = join(bench.haftHome, "sessions", "s1")
    await bench.run("true")
    writeFileSync(join(session, "out", "long.txt"), "whole output")
    const { stdout } = await bench.run(
      `echo x > ${session}/scratch/note; cat ${session}/out/long.txt; echo x > ${session}/out/new 2>/dev/null || echo " refused"`,
    )
    expect(stdout).toBe("whole output refused\n")
    expect(readFileSync(join(session, "scratch", "note"), "utf8")).toBe("x\n")
  })

  test("limits hold: processes, memory, size of files, no core", async () => {
    const small = await makeSandboxBench({
      limits: { processes: 20, memoryBytes: 200 * 1024 * 1024, fileBytes: 1024 * 1024 },
    })
    const { stdout, stderr, sandbox } = await small.run(
      "ulimit -c; (head -c 3000000 /dev/zero > large) 2>/dev/null; stat -c %s large; for i in $(seq 40); do sleep 1 & done; wait",
    )
    expect(stdout).toBe("0\n1048576\n")
    if (process.getuid?.() !== 0 || sandbox.isolation.limits.enforcedBy !== "rlimit")
      expect(stderr).toContain("Resource temporarily unavailable")
    if (sandbox.isolation.limits.enforcedBy.startsWith("cgroup")) {
      const { code } = await small.run("python3 -c 'x = bytearray(400 * 1024 * 1024)' || exit $?")
      expect(code).toBe(137)
    }
    await small.close()
  })

  test("a path that the user lets commands read is there, read-only", async () => {
    const shared = await makeSandboxBench({ readable: ["/var/lib"] })
    const { stdout } = await shared.run("ls /var/lib | head -1 | wc -l; touch /var/lib/x 2>/dev/null || echo refused")
    expect(stdout).toBe("1\nrefused\n")
    await shared.close()
  })
})
