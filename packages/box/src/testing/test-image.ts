import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, open, readFile, rm } from "node:fs/promises"
import { homedir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { isAlive } from "@haft/host"
import { boxSettings } from "../box-options.js"
import { buildImage } from "../image/build-image.js"
import { readDrivers } from "../image/install-image.js"
import { listImages, openImage } from "../image/open-image.js"
import { snapshotKey } from "../image/snapshot-key.js"
import { warmImage } from "../image/warm-image.js"
import { systemProgramFolders } from "../machine/machine-host.js"
import { findQemuHost } from "../machine/qemu-host.js"

export const testImage = "debian-12"

/** Where images of tests stay between runs, outside of the repository. */
export const testImagesFolder = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "haft-test", "box")

/**
 * Installs packages and builds the image once where that is possible; otherwise the result says why tests of real
 * machines are left out.
 */
export async function ensureTestImage(): Promise<string | undefined> {
  const missing = ensureBoxPackages()
  if (missing !== undefined) return missing
  return withLock(async () => {
    const image = (await listImages(testImagesFolder)).find(({ name }) => name === testImage)
    const installed = image !== undefined && (await readDrivers(image).then(Boolean, () => false))
    if (!installed && process.getuid?.() !== 0) return "building the image needs root here"
    try {
      if (!installed) await buildImage(testImage, { imagesFolder: testImagesFolder })
      if (!(await isWarm())) await warmImage(testImage, { imagesFolder: testImagesFolder })
    } catch (error) {
      return (error as Error).message
    }
    return undefined
  })
}

async function isWarm(): Promise<boolean> {
  const settings = boxSettings({ imagesFolder: testImagesFolder })
  const host = await findQemuHost(settings)
  if (typeof host === "string") return false
  const image = await openImage(testImagesFolder, testImage).catch(() => undefined)
  const keys = (["kvm", "tcg"] as const).map(
    (accelerator) =>
      image && snapshotKey(image, { qemuVersion: host.version, accelerator, memoryMiB: settings.memoryMiB }),
  )
  return image?.snapshots.some(({ key }) => keys.includes(key)) ?? false
}

/** Test files run in processes of their own: one of them builds, the others wait. */
async function withLock<Result>(work: () => Promise<Result>): Promise<Result> {
  await mkdir(testImagesFolder, { recursive: true })
  const lock = `${testImagesFolder}.lock`
  for (;;) {
    try {
      const handle = await open(lock, "wx")
      await handle.writeFile(String(process.pid))
      await handle.close()
      break
    } catch {
      const holder = Number(await readFile(lock, "utf8").catch(() => String(process.pid)))
      if (holder > 0 && !isAlive(holder)) await rm(lock, { force: true })
      await delay(200)
    }
  }
  try {
    return await work()
  } finally {
    await rm(lock, { force: true })
  }
}

const wanted = [
  { program: "qemu-system-x86_64", package: "qemu-system-x86" },
  { program: "bwrap", package: "bubblewrap" },
  { program: "mmdebstrap", package: "mmdebstrap" },
  { program: "mke2fs", package: "e2fsprogs" },
  { program: "lz4", package: "lz4" },
] as const

/** Installs what boxes need, as root on a Debian system; the result says what stays missing, or is undefined. */
function ensureBoxPackages(): string | undefined {
  if (process.platform !== "linux" || process.arch !== "x64") return "machines need Linux on x86-64"
  const missing = wanted.filter(({ program }) => !isInstalled(program))
  if (missing.length > 0 && process.getuid?.() === 0 && isInstalled("apt-get")) {
    const quiet = { stdio: "ignore", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } } as const
    spawnSync("apt-get", ["update", "-qq"], quiet)
    const names = missing.map((item) => item.package)
    spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...names], quiet)
  }
  const still = wanted.filter(({ program }) => !isInstalled(program)).map((item) => item.package)
  return still.length === 0 ? undefined : `install ${still.join(" ")}`
}

function isInstalled(program: string): boolean {
  return systemProgramFolders.some((folder) => existsSync(join(folder, program)))
}
