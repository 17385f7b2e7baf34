import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { ToolError } from "@haft/contract"
import { afterEach, beforeEach, expect, test } from "vitest"
import { buildDrivers } from "../guest/build-initrd.js"
import { fakeDrivers } from "../testing/fake-drivers.js"
import { bootstrapCommand, buildImage, perlParts } from "./build-image.js"
import { imageFiles } from "./image.js"
import { importImage } from "./import-image.js"
import { installImage } from "./install-image.js"
import { extractKernel } from "./kernel.js"
import { listImages, openImage, removeImage } from "./open-image.js"
import { imageRecipes } from "./recipes.js"
import { runProgram } from "./run-program.js"
import { snapshotKey } from "./snapshot-key.js"
import { refreshImage } from "./warm-image.js"

let imagesFolder: string
beforeEach(() => {
  imagesFolder = mkdtempSync(join(tmpdir(), "haft-box-images-"))
})
afterEach(() => rmSync(imagesFolder, { recursive: true, force: true }))

/** Installs an image whose parts are small texts. */
function install(name: string, rootfs = "root") {
  return installImage(name, { imagesFolder }, async (folder) => {
    writeFileSync(join(folder, imageFiles.rootfs), rootfs)
    return { os: "debian 12", kernel: Buffer.from("kernel"), drivers: fakeDrivers }
  })
}

async function refusal(work: Promise<unknown>): Promise<ToolError> {
  const error = await work.catch((thrown: unknown) => thrown)
  expect(ToolError.is(error), String(error)).toBe(true)
  return error as ToolError
}

test("an installed image is listed, opened and removed", async () => {
  await install("debian-12")
  await install("another")
  expect((await listImages(imagesFolder)).map(({ name }) => name)).toEqual(["another", "debian-12"])
  expect(await openImage(imagesFolder, "debian-12")).toMatchObject({
    os: "debian 12",
    digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
  })
  await removeImage(imagesFolder, "another")
  expect(readdirSync(imagesFolder)).toEqual(["debian-12"])
})

test("an image that is not there is refused with what is there, and nothing replaces it", async () => {
  await install("debian-12")
  for (const name of ["ubuntu-22.04", "../debian-12", "", "debian-12/", "DEBIAN-12", "."]) {
    const { code, details } = await refusal(openImage(imagesFolder, name))
    expect({ code, details }).toEqual({
      code: "not_configured",
      details: { ok: false, reason: "BOX_IMAGE_MISSING", image: name, installed: ["debian-12"], ran: false },
    })
  }
  expect((await refusal(removeImage(imagesFolder, "other"))).code).toBe("not_configured")
})

test("a folder without images is a refusal that names the two commands", async () => {
  const { fix } = await refusal(openImage(join(imagesFolder, "missing"), "debian-12"))
  expect(fix).toContain("haft box image build debian-12")
  expect(fix).toContain("haft box image warm debian-12")
})

test.each(["kernel", "initrd", "rootfs"] as const)("a changed %s is noticed and refused", async (part) => {
  const image = await install("debian-12")
  const path = join(image.folder, imageFiles[part])
  const before = readFileSync(path)
  // Same size, so that only the content tells.
  writeFileSync(path, Buffer.from(before.map((byte) => byte ^ 1)))
  expect((await refusal(openImage(imagesFolder, "debian-12"))).details).toMatchObject({ reason: "BOX_IMAGE_CHANGED" })
  writeFileSync(path, before)
  await openImage(imagesFolder, "debian-12")
  appendFileSync(path, "more")
  expect((await refusal(openImage(imagesFolder, "debian-12"))).details).toMatchObject({ reason: "BOX_IMAGE_CHANGED" })
})

test("an image of another version of Haft is refused until it is renewed", async () => {
  const image = await install("debian-12")
  const path = join(image.folder, imageFiles.manifest)
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), guest: "older" }))
  const { details, fix } = await refusal(openImage(imagesFolder, "debian-12"))
  expect(details).toMatchObject({ reason: "BOX_IMAGE_OUTDATED" })
  expect(fix).toContain("haft box image warm debian-12")
  const [old] = await listImages(imagesFolder)
  expect((await refreshImage(old!)).guest).toBe(image.guest)
  await openImage(imagesFolder, "debian-12")
})

test("an image without Perl cannot be renewed, and gives its kernel to no other: it has to be built again", async () => {
  const drivers = buildDrivers({ busybox: Buffer.from("busybox"), perl: [], modules: [] })
  const image = await installImage("debian-12", { imagesFolder }, async (folder) => {
    writeFileSync(join(folder, imageFiles.rootfs), "root")
    return { os: "debian 12", kernel: Buffer.from("kernel"), drivers }
  })
  const { fix, details } = await refusal(refreshImage({ ...image, guest: "older" }))
  expect({ fix, details }).toMatchObject({
    fix: "Build it again with: haft box image build debian-12",
    details: { reason: "BOX_IMAGE_OUTDATED", ran: false },
  })
  const archive = join(imagesFolder, "archive.tar")
  mkdirSync(join(imagesFolder, "tree/etc"), { recursive: true })
  writeFileSync(join(imagesFolder, "tree/etc/os-release"), "ID=tiny\n")
  await runProgram(["tar", "-C", join(imagesFolder, "tree"), "-cf", archive, "."])
  expect((await refusal(importImage("mine", archive, { imagesFolder }))).fix).toBe(fix)
})

test("Perl is taken out of the files of an image, wherever it keeps them, and never out of those of the host", async () => {
  const root = join(imagesFolder, "root")
  const libraries = join(root, "usr/lib/x86_64-linux-gnu")
  mkdirSync(join(root, "usr/bin"), { recursive: true })
  mkdirSync(join(root, "usr/lib64"))
  mkdirSync(libraries, { recursive: true })
  symlinkSync("usr/lib", join(root, "lib"))
  symlinkSync("usr/lib64", join(root, "lib64"))
  symlinkSync("/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2", join(root, "usr/lib64/ld-linux-x86-64.so.2"))
  writeFileSync(join(root, "usr/bin/perl"), "perl")
  for (const name of ["ld-linux-x86-64.so.2", "libc.so.6", "libm.so.6"]) writeFileSync(join(libraries, name), name)
  writeFileSync(join(libraries, "libcrypt.so.1.1.0"), "crypt")
  symlinkSync("libcrypt.so.1.1.0", join(libraries, "libcrypt.so.1"))
  const found = (await perlParts(root)).map(({ path, content }) => [path, Buffer.from(content).toString()])
  expect(found).toEqual([
    ["bin/perl", "perl"],
    ["lib64/ld-linux-x86-64.so.2", "ld-linux-x86-64.so.2"],
    ["lib/x86_64-linux-gnu/libc.so.6", "libc.so.6"],
    ["lib/x86_64-linux-gnu/libm.so.6", "libm.so.6"],
    ["lib/x86_64-linux-gnu/libcrypt.so.1", "crypt"],
  ])
  rmSync(join(root, "usr/bin/perl"))
  expect((await refusal(perlParts(root))).message).toContain("hold no bin/perl")
  symlinkSync("/bin/sh", join(root, "usr/bin/perl"))
  expect((await refusal(perlParts(root))).message).toContain("leads out of it")
})

test("a manifest that is broken or of another image is no image", async () => {
  const { folder } = await install("debian-12")
  const path = join(folder, imageFiles.manifest)
  const manifest = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>
  const snapshot = { key: "k", file: "../../etc/passwd", sha256: "", bytes: 1, stamp: "" }
  for (const broken of [
    "{",
    "null",
    "[]",
    JSON.stringify({ ...manifest, name: "other" }),
    JSON.stringify({ ...manifest, snapshots: [snapshot] }),
  ]) {
    writeFileSync(path, broken)
    expect(await listImages(imagesFolder)).toEqual([])
  }
})

test("a build that fails leaves nothing and keeps the image that was there", async () => {
  await install("debian-12")
  const failing = installImage("debian-12", { imagesFolder }, async (folder) => {
    writeFileSync(join(folder, "half"), "done")
    throw new Error("no network")
  })
  await expect(failing).rejects.toThrow("no network")
  expect(readdirSync(imagesFolder)).toEqual(["debian-12"])
  await openImage(imagesFolder, "debian-12")
})

test("a new build replaces the image, and what a killed builder left is removed", async () => {
  const first = await install("debian-12")
  writeFileSync(join(imagesFolder, ".aside-999999999-00ff"), "left")
  const second = await install("debian-12", "another root")
  expect(second.digest).not.toBe(first.digest)
  expect(readdirSync(imagesFolder)).toEqual(["debian-12"])
})

test("names that could leave the folder are refused", async () => {
  for (const name of ["../x", "a/b", ".hidden", "", "UPPER", "x".repeat(65)]) {
    expect((await refusal(install(name))).code).toBe("invalid_args")
  }
  expect((await refusal(buildImage("debain-12", { imagesFolder }))).hint).toBe("Did you mean debian-12?")
})

test("an import needs a kernel and an archive", async () => {
  expect((await refusal(importImage("mine", "/no/such.tar", { imagesFolder }))).code).toBe("not_configured")
  await install("debian-12")
  expect((await refusal(importImage("mine", "/no/such.tar", { imagesFolder }))).code).toBe("not_found")
  expect(existsSync(join(imagesFolder, "mine"))).toBe(false)
})

test("a snapshot belongs to one image, one QEMU and one kind of machine", async () => {
  const image = await install("debian-12")
  const other = await install("other", "another root")
  const machine = { qemuVersion: "7.2", accelerator: "tcg", memoryMiB: 512 } as const
  const keys = [
    snapshotKey(image, machine),
    snapshotKey(other, machine),
    snapshotKey(image, { ...machine, qemuVersion: "8.0" }),
    snapshotKey(image, { ...machine, accelerator: "kvm" }),
    snapshotKey(image, { ...machine, memoryMiB: 1024 }),
  ]
  expect(new Set(keys).size).toBe(keys.length)
  expect(snapshotKey(image, machine)).toBe(keys[0])
})

test("something that is no kernel is refused", async () => {
  for (const content of [Buffer.from("text"), Buffer.alloc(4096)]) {
    expect((await refusal(extractKernel(content))).code).toBe("backend")
  }
})

test("the command that fetches packages", () => {
  const command = bootstrapCommand(imageRecipes["debian-12"]!, { archive: "/f/rootfs.tar", folder: "/f/it's" })
  expect(command.slice(0, 6)).toEqual([
    "mmdebstrap",
    "--variant=minbase",
    "--architectures=amd64",
    "--components=main",
    "--keyring=/usr/share/keyrings/debian-archive-keyring.gpg",
    "--include=python3",
  ])
  expect(command).toContain("--customize-hook=copy-out /haft-download '/f/it'\\''s'")
  expect(command.slice(-2)).toEqual(["bookworm", "/f/rootfs.tar"])
  const mirrored = bootstrapCommand(imageRecipes["debian-12"]!, {
    archive: "a",
    folder: "f",
    mirror: "http://127.0.0.1/d",
  })
  expect(mirrored.at(-1)).toBe("http://127.0.0.1/d")
})

test("a program that is given up is waited for with all that it started, and lines are told whole", async () => {
  const lines: string[] = []
  const script = "printf 'half' >&2; sleep 0.2; printf ' line\\nnext\\n' >&2"
  await runProgram(["sh", "-c", script], { onLine: (line) => void lines.push(line) })
  expect(lines).toEqual(["half line", "next"])
  const abort = new AbortController()
  const mark = join(imagesFolder, "mark")
  // The inner program would write after the outer one has ended.
  const running = runProgram(["sh", "-c", `(sleep 1; touch ${mark}) & echo go >&2; wait`], {
    signal: abort.signal,
    onLine: () => abort.abort(),
  })
  expect((await refusal(running)).code).toBe("cancelled")
  expect((await refusal(runProgram(["sleep", "1000"], { signal: abort.signal }))).code).toBe("cancelled")
  await delay(1_200)
  expect(existsSync(mark)).toBe(false)
})
