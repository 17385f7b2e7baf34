import { execFileSync, fork } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, afterEach, describe, expect, test } from "vitest"
import { probeBox } from "../backend/choose-backend.js"
import { machineTraces } from "../testing/machine-traces.js"
import { containerPrograms, linkPrograms, makeTestContainer, refusalOf } from "../testing/test-container.js"
import { ensureTestImage, testImage } from "../testing/test-image.js"

const minute = 60_000
const noImage = await ensureTestImage()
const host = noImage === undefined ? makeTestContainer() : undefined
const missing = noImage ?? (await whyNoContainer())

async function whyNoContainer(): Promise<string | undefined> {
  const probes = await probeBox({ imagesFolder: host!.imagesFolder, programFolders: [host!.programs] })
  return probes.find(({ backend }) => backend === "podman")!.why
}

// Where every test is left out, nothing is called after them.
if (missing !== undefined) host?.remove()
afterAll(() => host?.remove())

const title = `a box in a container${missing === undefined ? "" : ` (left out: ${missing})`}`
describe.skipIf(missing !== undefined)(title, { timeout: 3 * minute }, () => {
  // Read also where all is left out.
  const { run, folder, imagesFolder } = host ?? ({} as ReturnType<typeof makeTestContainer>)
  afterEach(() => {
    expect(machineTraces()).toEqual({ processes: [], files: [], groups: [] })
    expect(readdirSync(join(imagesFolder, ".containers"))).toEqual([])
    expect(containers(`haft-box-${process.pid}-`)).toEqual([])
  })

  test("files in, output and exit code out, and the result names the weaker sandbox", async () => {
    const files = { "a.txt": "relative\n", "/sandbox/deep/script.sh": "#!/bin/sh\necho absolute é", "/tmp/t": "t" }
    const command = "pwd; cat a.txt; /sandbox/deep/script.sh; cat /tmp/t; touch new ~/x; echo problem >&2; exit 7"
    expect(await run(command, { files })).toMatchObject({
      stdout: "/work\nrelative\nabsolute é\nt",
      stderr: "problem\n",
      exitCode: 7,
      timedOut: false,
      isolation: {
        level: "container",
        asked: "container",
        backend: expect.stringMatching(/^podman \d\S* \((crun|runc)\)$/),
        nestedIn: "none",
        network: "none",
        image: testImage,
        os: "debian 12",
        snapshot: false,
      },
    })
    expect((await run("ls /work; ls /sandbox")).stdout).toBe("")
  })

  test("nothing of the host is in reach: no file, no process, no network, no variable, no right", async () => {
    process.env.HAFT_TEST_SECRET = process.env.http_proxy = "http://of-the-host"
    const { stdout } = await run(`
      cat ${join(imagesFolder, testImage, "manifest.json")} 2>/dev/null | wc -c
      ls /proc | grep -c '^[0-9]'
      env | grep -c of-the-host
      tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '
      python3 -c 'import socket; socket.create_connection(("127.0.0.1", 22), 2)' 2>&1 | tail -n 1
      grep -E '^(CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status | tr '\\t' ' ' | tr '\\n' ' '; echo
      touch /usr/x /etc/x /x 2>&1 | grep -c 'Read-only'
      mount -t tmpfs none /mnt 2>/dev/null || echo no mount
      mknod /tmp/disk b 8 0 2>/dev/null || echo no device
      date -s 2001-01-01 > /dev/null 2>&1 || echo no clock`)
    delete process.env.HAFT_TEST_SECRET
    delete process.env.http_proxy
    const [manifestBytes, processes, ...rest] = stdout.trim().split("\n")
    expect(manifestBytes).toBe("0")
    expect(Number(processes)).toBeLessThan(10)
    expect(rest).toEqual([
      "0",
      "lo",
      expect.stringMatching(/refused|unreachable/),
      "CapEff: 0000000000000000 CapBnd: 0000000000000000 NoNewPrivs: 1 Seccomp: 2 ",
      "3",
      "no mount",
      "no device",
      "no clock",
    ])
  })

  test("memory and processes are limited", async () => {
    const hungry = await run('python3 -c "x = [bytearray(50_000_000) for i in range(40)]"; echo $?')
    expect(hungry.stdout.trim()).toMatch(/^(137|1)$/)
    const many = await run("for i in $(seq 1 600); do sleep 100 & done; echo all", { timeoutMs: 20_000 })
    expect(many.stderr).toContain("Resource temporarily unavailable")
  })

  test("a command that takes too long or is given up is gone with all that it started", async () => {
    const late = await run("echo begun; (setsid sleep 1000 &); sleep 1000", { timeoutMs: 1_500 })
    expect(late).toMatchObject({ stdout: "begun\n", stderr: "", exitCode: null, timedOut: true })
    const abort = new AbortController()
    const running = run("echo up; sleep 1000", { signal: abort.signal, onOutput: () => abort.abort() })
    expect((await refusalOf(running)).code).toBe("cancelled")
    expect((await refusalOf(run("true", { signal: AbortSignal.timeout(1) }))).code).toBe("cancelled")
    expect(await run("sleep 1000 & echo done")).toMatchObject({ stdout: "done\n", exitCode: 0, timedOut: false })
  })

  test("a killed command and one that says what a broken sandbox would say are results", async () => {
    expect(await run("kill -9 $$")).toMatchObject({ exitCode: 137 })
    expect(await run("echo 'Error: broken' >&2; exit 125")).toMatchObject({ exitCode: 125, stderr: "Error: broken\n" })
  })

  test("much output is cut and the whole of it is in a file, and large files arrive", async () => {
    const outcome = await run("seq 1 60000", { keepBytes: 1_000 })
    expect(outcome.stdout).toMatch(/^1\n2\n[\s\S]* bytes left out [\s\S]*\n60000\n$/)
    expect(outcome.outputPath).toContain(join(folder, "out"))
    expect(readFileSync(outcome.outputPath!, "utf8")).toContain("\n30000\n")
    const files = { large: "0123456789abcdef".repeat(500_000) }
    expect((await run("wc -c < large", { files })).stdout).toBe("8000000\n")
  })

  test("a file in a folder of the image is refused with the reason, because that folder cannot be written", async () => {
    const { code, details, message } = await refusalOf(run("true", { files: { "/usr/local/x": "" } }))
    expect({ code, details }).toMatchObject({ code: "invalid_args", details: { reason: "BOX_FILES_REFUSED" } })
    expect(message).toContain('"/usr" of the image is read-only')
  })

  test("[C2-92] the weaker sandbox is used only where the operator allows it", async () => {
    for (const minIsolation of ["vm", "vm-emulated"] as const) {
      const { code, details } = await refusalOf(run("true", {}, { minIsolation }))
      expect({ code, details }).toMatchObject({
        code: "not_configured",
        details: {
          reason: "BOX_ISOLATION_UNAVAILABLE",
          asked: minIsolation === "vm-emulated" ? "vm" : minIsolation,
          best_available: "container",
          ran: false,
        },
      })
    }
  })

  test.each([
    [["podman"], "podman not found"],
    [["debugfs"], "debugfs not found"],
    [["crun", "runc"], "crun or runc not found"],
  ])("without %j it is refused with what is missing", async (without, why) => {
    const names = containerPrograms.filter((name) => !without.includes(name))
    const programFolders = [linkPrograms(mkdtempSync(join(folder, "fewer-")), names)]
    const { details } = await refusalOf(run("true", {}, { programFolders }))
    expect(details).toMatchObject({ reason: "BOX_ISOLATION_UNAVAILABLE", best_available: "none" })
    expect((details as { probes: unknown[] }).probes).toContainEqual({ backend: "podman", ok: false, why })
  })

  test("one that was given up is removed as well as one that ended", async () => {
    const abort = new AbortController()
    const running = run("echo up; sleep 1000", { signal: abort.signal, onOutput: () => abort.abort() })
    expect((await refusalOf(running)).code).toBe("cancelled")
    expect(await run("sleep 1000", { timeoutMs: 1_500 })).toMatchObject({ timedOut: true })
  })

  test("the command is an ordinary user", async () => {
    const { stdout } = await run("id -u; id -un; stat -c %u /work /home/box; cat /etc/shadow 2>&1 | grep -c denied")
    expect(stdout).toBe("1000\nbox\n1000\n1000\n1\n")
  })

  test("a container that a killed Haft has left is removed by the next run", async () => {
    const left = `haft-box-${await deadProcess()}-${"0".repeat(32)}`
    execFileSync("podman", ["create", "--name", left, "--network", "none", "--rootfs", `${treeRoot()}:O`, "true"])
    writeFileSync(join(imagesFolder, ".containers", left), "")
    expect(containers(left)).toEqual([left])
    await run("true")
    expect(containers(left)).toEqual([])
  })

  function treeRoot(): string {
    const image = join(imagesFolder, "debian-12")
    return join(image, readdirSync(image).find((name) => name.startsWith("tree-"))!, "root")
  }
})

/** The names of the containers that podman knows and that begin like this. */
function containers(beginning: string): readonly string[] {
  const podman = ["/usr/bin/podman", "/usr/local/bin/podman"].find(existsSync) ?? "podman"
  const told = execFileSync(podman, ["ps", "--all", "--format", "{{.Names}}"], { encoding: "utf8" })
  return told.split("\n").filter((name) => name.startsWith(beginning))
}

/** The number of a process that has ended. */
async function deadProcess(): Promise<number> {
  const child = fork("-e", [], { execArgv: ["-e", "0"], stdio: "ignore" })
  await once(child, "exit")
  return child.pid!
}
