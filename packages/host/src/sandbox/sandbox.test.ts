import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { createServer } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { backendsHere } from "./testing/installed.js"
import { makeSandboxBench, runIn, type SandboxBench } from "./testing/sandbox-bench.js"

describe.each(backendsHere)("a sandbox of %s", (backend) => {
  let bench: SandboxBench
  beforeAll(async () => {
    bench = await makeSandboxBench({
      backend,
      variables: { ...process.env, OPENAI_API_KEY: "sk-caller-secret", LD_PRELOAD: "/tmp/x.so", NODE_OPTIONS: "--x" },
    })
  })
  afterAll(() => bench.close())

  test("[C2-82] shows exactly the folders of the table and nothing else", async () => {
    const { stdout } = await bench.run("ls -A /; echo; ls -A /dev; echo; ls -A /run /var /sys /tmp ~/..")
    const [top, devices] = stdout.split("\n\n").map((part) => part.split("\n").filter(Boolean))
    const allowed = "bin dev etc home lib lib32 lib64 libx32 nix opt proc root run sbin snap sys tmp usr var"
    expect(top!.filter((name) => !allowed.split(" ").includes(name))).toEqual([])
    const nodes = "console core fd full null ptmx pts random shm stderr stdin stdout tty urandom zero"
    expect(devices!.filter((name) => !nodes.split(" ").includes(name))).toEqual([])
  })

  test("the table of mounts is complete: adding a path to the view is a change of this list", async () => {
    const { stdout } = await bench.run("cut -d' ' -f5 /proc/self/mountinfo | sort -u")
    const { root, haftHome } = bench
    const home = process.env.HOME!
    const known = [
      /^\/$/,
      /^\/(usr|opt|nix\/store|snap|home\/linuxbrew\/\.linuxbrew|etc|bin|sbin|lib\w*)$/,
      // Settings that others may not read, covered; and the two files that are built.
      /^\/etc\//,
      // bubblewrap covers three folders of its process table.
      /^\/proc(\/(sys|sysrq-trigger|irq|bus))?$/,
      /^\/dev(\/(null|zero|full|random|urandom|tty|pts|shm|console))?$/,
      /^\/(tmp|run|var|var\/tmp|sys\/devices\/system\/cpu)$/,
      // In /tmp of the session: the folder that the workspace and the state of this test are in.
      new RegExp(`^${bench.base}$`),
      new RegExp(
        `^${home}(/\\.gitconfig|/\\.cargo/bin|/\\.(rustup|pyenv|rbenv|nvm|volta|fnm|asdf|sdkman)|/go/bin|/\\.(deno|bun)/bin|/\\.local/(bin|share/(uv|mise|fnm|pipx)|pipx))?$`,
      ),
      // The folders on the way to them.
      new RegExp(`^${home}(/\\.(cargo|deno|bun|local|local/share)|/go)$`),
      new RegExp(`^${haftHome}/(cache/w1|sessions/s1/(scratch|out))$`),
      new RegExp(`^${root}(/(\\.\\w+|\\.\\w+\\.\\w+|haft(\\.local)?\\.jsonc))?$`),
    ]
    const paths = stdout.trim().split("\n")
    // A home directory may be in /tmp; the way to it is in the view then.
    const others = paths.filter((path) => !home.startsWith(`${path}/`))
    expect(others.filter((path) => !known.some((pattern) => pattern.test(path)))).toEqual([])
  })

  test("[C2-80] writes inside the workspace and nowhere else", async () => {
    const outside = join(bench.base, "outside")
    const { code, stderr } = await bench.run(
      `echo in > inside; for p in ${outside} /x /usr/x /etc/x /opt/x /sys/x; do echo x > $p; done`,
    )
    expect(code).not.toBe(0)
    expect(stderr.match(/Read-only file system|No such file|Permission denied/g)).toHaveLength(6)
    expect(existsSync(join(bench.root, "inside"))).toBe(true)
    expect(existsSync(outside)).toBe(false)
  })

  test("[C2-80] hides homes, state of Haft, sockets of services and other processes", async () => {
    writeFileSync(join(bench.haftHome, "journal"), "state")
    writeFileSync(join(bench.base, "neighbour"), "other project")
    const { stdout } = await bench.run(
      `cat ${bench.haftHome}/journal ${bench.base}/neighbour ~/.ssh/* ~/.npmrc ~/.config/* /etc/shadow 2>/dev/null; ls ~/.ssh ~/.aws ~/.config ${bench.haftHome}/sessions/s1/sandbox 2>/dev/null; find / -xdev -type s 2>/dev/null; ls /run`,
    )
    expect(stdout.trim()).toBe("")
  })

  test("has no capabilities, no new privileges, and its own session, process tree and host name", async () => {
    const { stdout } = await bench.run("cat /proc/self/status; ls -d /proc/[0-9]* | wc -l; ps -o sid= -p $$")
    for (const set of ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"])
      expect(stdout).toMatch(new RegExp(`${set}:\\s0+\\n`))
    expect(stdout).toMatch(/NoNewPrivs:\s1/)
    const [processes, session] = stdout.trim().split("\n").slice(-2).map(Number)
    expect(processes).toBeLessThan(8)
    expect(session).toBeGreaterThan(0)
  })

  test("[C2-94] mounting, user namespaces and tracing are refused", async () => {
    const { stdout } = await bench.run(
      "mount -t tmpfs x /tmp 2>/dev/null && echo mounted; unshare -Ur true 2>/dev/null && echo namespace; unshare -m true 2>/dev/null && echo mounts; echo end",
    )
    expect(stdout).toBe("end\n")
  })

  test("variables of the caller are not inside: not in env, not in /proc, not in a list of processes", async () => {
    const { stdout } = await bench.run("env; cat /proc/*/environ | tr '\\0' '\\n'; cat /proc/*/cmdline | tr '\\0' ' '")
    expect(stdout).not.toMatch(/sk-caller-secret|LD_PRELOAD|NODE_OPTIONS/)
    expect(stdout).toContain("GIT_TERMINAL_PROMPT=0")
    expect(stdout).not.toContain("blank")
  })

  test("[C2-82] there is no network: a server of the host cannot be reached, names have no address", async () => {
    const server = createServer((socket) => socket.end("reached"))
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as AddressInfo
    const { stdout } = await bench.run(
      `(exec 9<>/dev/tcp/127.0.0.1/${port} && cat <&9) 2>/dev/null; getent hosts example.org; cut -d: -f1 /proc/net/dev | tail -n +3 | tr -d ' '`,
    )
    server.close()
    expect(stdout).toBe("lo\n")
  })

  test("profile look cannot write the workspace, and leaves no trace in it", async () => {
    const before = readdirSync(bench.root)
    const { stderr, sandbox } = await bench.run("touch new; mkdir -p .vscode", { sandbox: { profile: "read-only" } })
    expect(stderr).toContain("Read-only file system")
    expect(readdirSync(bench.root)).toEqual(before)
    expect(sandbox.isolation).toMatchObject({ level: "namespaces", profile: "read-only", network: "none" })
    expect(sandbox.isolation.backend).toMatch(new RegExp(`^${backend}`))
  })

  test("the result says when there is no system-call filter", async () => {
    const { sandbox } = await bench.run("true")
    expect(sandbox.isolation.notes.includes("no system-call filter")).toBe(backend === "unshare")
  })

  test("the exit code is the command's own, also when its words look like those of a sandbox", async () => {
    const { code, failure } = await bench.run(
      "echo 'bwrap: Creating new namespace failed' >&2; echo 'haft-sandbox: no' >&2; exit 1",
    )
    expect([code, failure]).toEqual([1, undefined])
    expect((await bench.run("exit 125")).failure).toBeUndefined()
    expect((await bench.run("kill -9 $$")).code).toBe(137)
  })

  test("a masked file cannot be read by anything, a masked folder not be listed, and others are untouched", async () => {
    const { root } = bench
    mkdirSync(join(root, "deep/secrets"), { recursive: true })
    writeFileSync(join(root, ".env"), "TOKEN=hidden")
    writeFileSync(join(root, "deep/.env"), "TOKEN=hidden")
    writeFileSync(join(root, "deep/secrets/key"), "hidden")
    writeFileSync(join(root, "deep/plain"), "plain")
    symlinkSync("deep/.env", join(root, "link"))
    const denies = (kind: string, path: string) => kind === "fs.read" && /\/(\.env|secrets)$/.test(path)
    const python = `python3 -c "print(open('.env').read())"`
    const { stdout, stderr } = await bench.run(
      `cat .env deep/.env link deep/secrets/key; ls deep/secrets; head -1 < .env; cp .env copy; cat copy; ${python}; chmod 644 .env; mv .env moved; rm -f .env; cat deep/plain`,
      { denies },
    )
    expect(stdout).toBe("plain")
    expect(stderr).toContain("Permission denied")
    expect(stderr).toContain("PermissionError")
    expect(existsSync(join(root, ".env"))).toBe(true)
  })

  test("a secret that appeared after the first command is masked for the next", async () => {
    const denies = (kind: string, path: string) => kind === "fs.read" && path.endsWith("/late.key")
    await bench.run("true", { denies, rulesKey: 1 })
    writeFileSync(join(bench.root, "late.key"), "hidden")
    const { stdout, stderr } = await bench.run("cat late.key", { denies, rulesKey: 1 })
    expect(stdout).toBe("")
    expect(stderr).toContain("Permission denied")
  })

  test("a file that rules deny writing is read-only", async () => {
    writeFileSync(join(bench.root, "frozen.txt"), "as it was")
    const denies = (kind: string, path: string) => kind === "fs.write" && path.endsWith("/frozen.txt")
    const { stdout } = await bench.run("echo x > frozen.txt; rm -f frozen.txt; cat frozen.txt", { denies })
    expect(stdout).toBe("as it was")
  })

  test("sockets and FIFOs of the host inside the workspace are covered", async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(join(bench.root, "service.sock"), resolve))
    const { stdout } = await bench.run("[ -S service.sock ] && echo socket; ls -l service.sock | cut -c1")
    server.close()
    expect(stdout).toBe("-\n")
  })

  test("everything ends with the process outside: nothing of a command is left", async () => {
    const sandbox = await bench.prepare()
    const mark = `7${Math.random().toString().slice(2, 10)}`
    const launch = sandbox.launch(["/bin/bash", "-c", `setsid sleep ${mark} & nohup sleep ${mark} & sleep ${mark}`])
    const child = spawn(launch.file, [...launch.args], {
      cwd: "/",
      env: launch.env,
      detached: true,
      stdio: ["ignore", "ignore", "ignore", ...launch.extraFds],
    })
    launch.onSpawn?.(child)
    while (countOf(mark) < 3) await new Promise((resolve) => setTimeout(resolve, 20))
    child.kill("SIGKILL")
    await new Promise((resolve) => child.once("exit", resolve))
    for (let left = 100; countOf(mark) > 0 && left > 0; left -= 1)
      await new Promise((resolve) => setTimeout(resolve, 20))
    expect(countOf(mark)).toBe(0)
    await sandbox.release()
  })

  test("a folder outside the workspace is no place to start in", async () => {
    await expect(bench.prepare({ directory: "/boot" })).rejects.toMatchObject({ code: "denied" })
  })

  test("standard output of a sandbox is only the command's", async () => {
    const sandbox = await bench.prepare()
    expect(await runIn(sandbox, ["/bin/echo", "a  b", "$HOME", "'"])).toMatchObject({
      stdout: "a  b $HOME '\n",
      stderr: "",
    })
    await sandbox.release()
  })
})

function countOf(mark: string): number {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => commandOf(pid) === `sleep ${mark}`).length
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").filter(Boolean).join(" ")
  } catch {
    return ""
  }
}
