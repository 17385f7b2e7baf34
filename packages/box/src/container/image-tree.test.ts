import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { findOwnProgram } from "@haft/host"
import { afterAll, expect, test } from "vitest"
import { openImage } from "../image/open-image.js"
import { systemProgramFolders } from "../machine/machine-host.js"
import { copyTestImage, refusalOf } from "../testing/test-container.js"
import { ensureTestImage, testImage } from "../testing/test-image.js"
import { openImageTree, treeStamp } from "./image-tree.js"

const debugfs = findOwnProgram("debugfs", systemProgramFolders)
const missing = (await ensureTestImage()) ?? (debugfs === undefined ? "debugfs is not installed" : undefined)
const imagesFolder = mkdtempSync(join(tmpdir(), "haft-image-tree-"))
afterAll(() => rmSync(imagesFolder, { recursive: true, force: true }))

test.skipIf(missing !== undefined)(
  "an image is taken apart once, and a folder that was changed since is refused",
  { timeout: 180_000 },
  async () => {
    copyTestImage(imagesFolder)
    const image = await openImage(imagesFolder, testImage)
    const open = () => openImageTree(image, { imagesFolder, debugfs: debugfs!, signal: new AbortController().signal })
    const { root } = await open()
    expect(readFileSync(join(root, "usr/lib/os-release"), "utf8")).toContain("ID=debian")
    const stamp = await treeStamp(root)
    expect(await open()).toEqual({ root })
    expect(await treeStamp(root)).toBe(stamp)

    writeFileSync(join(root, "etc/motd"), "changed")
    expect((await refusalOf(open())).details).toMatchObject({ reason: "BOX_IMAGE_CHANGED", ran: false })
    rmSync(join(root, ".."), { recursive: true })
    expect(await open()).toEqual({ root })
    expect(readdirSync(imagesFolder).filter((name) => name.startsWith(".aside"))).toEqual([])
  },
)
