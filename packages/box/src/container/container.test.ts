import { execFileSync, fork } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, afterEach, describe, expect, test } from "vitest"
import { probeBox } from "../probe/probe-box.js"
import { ensureTestImage } from "../testing/box-ground.js"
import { machineTraces } from "../testing/machine-traces.js"
import { makeTreeGround, refusalOf } from "../testing/tree-ground.js"

const names = ["podman", "crun", "runc", "conmon", "debugfs"]
const minute = 60_000
const noImage = await ensureTestImage()
const ground = noImage === undefined ? makeTreeGround("container", names) : undefined
const missing = noImage ?? (await whyNoContainer())

async function whyNoContainer(): Promise<string | undefined> {
  const probes = await probeBox({ imagesFolder: ground!.imagesFolder, programFolders: [ground!.programs] })
  return probes.find(({ backend }) => backend === "podman")!.why
}

// Where every test is left out, nothing is called after them.
if (missing !== undefined) ground?.remove()
afterAll(() => ground?.remove())

const title = `a box in a container${missing === undefined ? "" : ` (left out: ${missing})`}`
describe.skipIf(missing !== undefined)(title, { timeout: 3 * minute }, () => {
  // Read also where all is left out.
  const { run, imagesFolder } = ground ?? ({} as ReturnType<typeof makeTreeGround>)
  afterEach(() => {
    expect(machineTraces()).toEqual({ processes: [], files: [], groups: [] })
    expect(readdirSync(join(imagesFolder, ".containers"))).toEqual([])
    expect(containers(`haft-box-${process.pid}-`)).toEqual([])
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
