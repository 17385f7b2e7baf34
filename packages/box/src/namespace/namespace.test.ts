import { readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, afterEach, describe, expect, test } from "vitest"
import { systemProgramFolders } from "../machine/machine-host.js"
import { probeBox } from "../probe/probe-box.js"
import { ensureTestImage, testImage, testImagesFolder } from "../testing/box-ground.js"
import { patientDeadlines } from "../testing/machine-ground.js"
import { machineTraces } from "../testing/machine-traces.js"
import { makeTreeGround, refusalOf } from "../testing/tree-ground.js"
import { treeStamp } from "../tree/tree-stamp.js"

const missing = await ensureTestImage()
const title = `a box of namespaces${missing === undefined ? "" : ` (left out: ${missing})`}`
const ground =
  missing === undefined ? makeTreeGround("namespace", ["bwrap", "setpriv", "prlimit", "debugfs"]) : undefined
afterAll(() => ground?.remove())

describe.skipIf(missing !== undefined)(title, { timeout: 180_000 }, () => {
  // Read also where all is left out.
  const { run, imagesFolder, programs } = ground ?? ({} as ReturnType<typeof makeTreeGround>)
  afterEach(() => expect(machineTraces()).toEqual({ processes: [], files: [], groups: [] }))

  test("no namespace can be made inside", async () => {
    expect((await run("unshare -r true 2>/dev/null || echo none")).stdout).toBe("none\n")
  })

  test("a folder that was changed since the image was built is refused", async () => {
    const image = join(imagesFolder, testImage)
    await run("true")
    const tree = join(image, readdirSync(image).find((name) => name.startsWith("tree-"))!)
    const stamp = await treeStamp(join(tree, "root"))
    expect(await treeStamp(join(tree, "root"))).toBe(stamp)
    writeFileSync(join(tree, "root/etc/motd"), "changed")
    expect((await refusalOf(run("true"))).details).toMatchObject({ reason: "BOX_IMAGE_CHANGED", ran: false })
    rmSync(tree, { recursive: true })
    expect(await run("true")).toMatchObject({ exitCode: 0 })
    expect(readdirSync(imagesFolder).filter((name) => name.startsWith(".aside"))).toEqual([])
  })

  test("where machines work they are used, whatever less would do", async () => {
    const probes = await probeBox({ imagesFolder, programFolders: [programs] })
    expect(probes.map(({ backend, ok }) => [backend, ok])).toEqual([
      ["qemu-kvm", false],
      ["qemu-tcg", false],
      ["runsc", false],
      ["podman", false],
      ["bwrap", true],
    ])
    const strong = await run(
      "true",
      {},
      { imagesFolder: testImagesFolder, programFolders: systemProgramFolders, deadlines: patientDeadlines },
    )
    expect(strong.isolation.level).toMatch(/^vm/)
  })
})
