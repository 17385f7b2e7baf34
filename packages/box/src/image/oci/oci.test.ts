import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { createReadStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { gzipSync } from "node:zlib"
import { ToolError } from "@haft/contract"
import fc from "fast-check"
import { extract, type Headers as PlainHeaders, pack } from "tar-stream"
import { afterEach, beforeEach, expect, test } from "vitest"
import { buildTar, type TarEntry } from "../../job/job-archive.js"
import { fakeDrivers } from "../../testing/fake-drivers.js"
import { imageFiles } from "../image.js"
import { importImage } from "../import-image.js"
import { installImage } from "../install-image.js"
import { flattenLayers } from "./flatten-layers.js"
import { readOciLayout } from "./read-oci-layout.js"

type Headers = PlainHeaders & { readonly pax?: Readonly<Record<string, string>> | null }

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "haft-oci-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function layer(files: Readonly<Record<string, string | undefined>>): Uint8Array {
  const entries = Object.entries(files).map(([path, content]): TarEntry => {
    const common = { path, mode: 0o755, owner: 0 }
    return content === undefined
      ? { ...common, kind: "folder" }
      : { ...common, kind: "file", content: Buffer.from(content) }
  })
  return buildTar(entries)
}

function blob(content: Uint8Array): string {
  const hash = createHash("sha256").update(content).digest("hex")
  mkdirSync(join(folder, "blobs/sha256"), { recursive: true })
  writeFileSync(join(folder, "blobs/sha256", hash), content)
  return `sha256:${hash}`
}

function layout(layers: readonly Uint8Array[], platform = { os: "linux", architecture: "amd64" }): void {
  const manifest = Buffer.from(JSON.stringify({ layers: layers.map((each) => ({ digest: blob(each) })) }))
  const other = { digest: `sha256:${"0".repeat(64)}`, platform: { os: "linux", architecture: "arm64" } }
  const index = Buffer.from(JSON.stringify({ manifests: [other, { digest: blob(manifest), platform }] }))
  writeFileSync(join(folder, "index.json"), JSON.stringify({ manifests: [{ digest: blob(index) }] }))
}

async function flat(layers: readonly Uint8Array[]): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {}
  for (const { header, content } of await flatEntries(layers)) {
    found[header.name] = header.type === "directory" ? "/" : content.toString("utf8")
  }
  return found
}

async function flatEntries(layers: readonly Uint8Array[]) {
  const paths = layers.map((content, number) => {
    const path = join(folder, `layer-${number}`)
    writeFileSync(path, content)
    return path
  })
  const archive = join(folder, "flat.tar")
  rmSync(archive, { force: true })
  await flattenLayers(paths, archive)
  const entries = extract()
  createReadStream(archive, { highWaterMark: 777 }).pipe(entries)
  const found: { readonly header: Headers; readonly content: Buffer }[] = []
  for await (const entry of entries) found.push({ header: entry.header, content: await buffer(entry) })
  return found
}

async function refusal(work: Promise<unknown>): Promise<ToolError> {
  const error = await work.catch((thrown: unknown) => thrown)
  expect(ToolError.is(error), String(error)).toBe(true)
  return error as ToolError
}

test("upper layers add, replace, remove and empty what lower ones have", async () => {
  const base = layer({
    etc: undefined,
    "etc/a": "1",
    "etc/b": "1",
    old: undefined,
    "old/x": "1",
    "old/y/z": "1",
    was: undefined,
    "was/in": "1",
  })
  const upper = layer({
    "etc/a": "2",
    "etc/.wh.b": "",
    "old/.wh..wh..opq": "",
    "old/new": "2",
    was: "2",
    "more/deep/er": "2",
  })
  expect(await flat([base, gzipSync(upper)])).toEqual({
    etc: "/",
    "etc/a": "2",
    old: "/",
    "old/new": "2",
    was: "2",
    "more/deep/er": "2",
  })
  const again = layer({ "etc/b": "3", "old/x": "3" })
  expect(await flat([base, upper, again])).toMatchObject({ "etc/a": "2", "etc/b": "3", "old/x": "3" })
})

test("any files of one layer come out as they went in", async () => {
  const name = fc.stringMatching(/^[a-zé]{1,70}$/)
  const file = fc.tuple(
    fc.array(name, { minLength: 1, maxLength: 4 }),
    fc.string({ unit: "grapheme", maxLength: 2000 }),
  )
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(file, { selector: ([parts]) => parts[0], maxLength: 8 }), async (files) => {
      const wanted = Object.fromEntries(files.map(([parts, content]) => [parts.join("/"), content]))
      expect(await flat([layer(wanted)])).toEqual(wanted)
    }),
    { numRuns: 50 },
  )
})

test("archives that other programs write are read: long names, links, records in front of entries", async () => {
  const tree = join(folder, "tree")
  const long = `${"d".repeat(90)}/${"f".repeat(120)}`
  mkdirSync(join(tree, long.split("/")[0]!), { recursive: true })
  writeFileSync(join(tree, long), "long")
  writeFileSync(join(tree, "plain"), "plain")
  for (const format of ["gnu", "posix", "ustar"]) {
    const names = format === "ustar" ? ["plain"] : ["."]
    const archive = execFileSync("tar", ["-C", tree, `--format=${format}`, "-cf", "-", ...names])
    const found = await flat([archive])
    expect(found.plain).toBe("plain")
    if (format !== "ustar") expect(found[long]).toBe("long")
  }
})

test("a name that leads out, and something that is no archive, are refused", async () => {
  expect((await refusal(flat([layer({ "a/../../x": "" })]))).code).toBe("invalid_args")
  expect((await refusal(flat([Buffer.alloc(5000, "x")]))).code).toBe("invalid_args")
  expect((await refusal(flat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0])]))).code).toBe("unsupported")
})

/** An archive with one entry whose header was changed, with its checksum made right again. */
function changed(change: (header: Buffer) => void, content = ""): Buffer {
  const archive = Buffer.from(
    buildTar([{ path: "a", kind: "file", mode: 0o644, owner: 0, content: Buffer.from(content) }]),
  )
  change(archive)
  archive.fill(0x20, 148, 156)
  const sum = archive.subarray(0, 512).reduce((total, byte) => total + byte, 0)
  archive.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1")
  return archive
}

/** Records of the form `length key=value`, as a header in front of an entry. */
function withRecord(key: string, value: string): Buffer {
  const content = `${key}=${value}\n`
  const record = `${content.length + 3} ${content}`
  expect(record).toHaveLength(content.length + 3)
  return Buffer.concat([changed((header) => header.write("x", 156), record).subarray(0, 1024), layer({ a: "content" })])
}

test.each([
  ["a size that is no number", changed((header) => header.write("abc".padEnd(12, "\0"), 124))],
  ["a size below zero", changed((header) => header.fill(0xff, 124, 135).writeUInt8(0, 135))],
  ["a size of an unknown form", changed((header) => header.fill(0x81, 124, 125))],
  ["a size beyond the end", changed((header) => header.write("00000100000\0", 124))],
  ["a size beyond all numbers", changed((header) => header.fill(0x80, 124, 136))],
  ["a size in a record that is no number", withRecord("size", "x")],
  ["a size in a record that is below zero", withRecord("size", "-1")],
])("%s is refused at once", async (_, archive) => {
  expect((await refusal(flat([archive]))).code).toBe("invalid_args")
})

test("a name that is too long is refused before it is in memory", async () => {
  const long = Buffer.alloc(64 * 1024 * 1024, "n")
  const archive = Buffer.concat([
    changed((header) => {
      header.write("L", 156)
      header.write("37777777777\0", 124)
    }).subarray(0, 512),
    long,
  ])
  const { code, message } = await refusal(flat([gzipSync(archive)]))
  expect({ code, message }).toEqual({
    code: "invalid_args",
    message: "Cannot read the archive: a header in it is too long",
  })
})

test.each([
  ["an old sparse file", changed((header) => header.write("S", 156))],
  ["a sparse file", withRecord("GNU.sparse.major", "1")],
])("%s is refused, because its content would be another one", async (_, archive) => {
  expect((await refusal(flat([archive]))).code).toBe("unsupported")
})

test("owners, modes, links and devices come out as they went in", async () => {
  const mtime = new Date(1_600_000_000_000)
  const common = { uid: 7, gid: 8, mtime }
  const headers: Headers[] = [
    { ...common, name: "shadow", type: "file", mode: 0o100000, size: 4 },
    { ...common, name: "su", type: "file", mode: 0o4755, size: 4 },
    { ...common, name: "soft", type: "symlink", mode: 0o777, linkname: "../../etc/shadow" },
    { ...common, name: "hard", type: "link", mode: 0o644, linkname: "su" },
    { ...common, name: "disk", type: "block-device", mode: 0o600, devmajor: 8, devminor: 1 },
    { ...common, name: "pipe", type: "fifo", mode: 0o600 },
    { ...common, name: "far", type: "directory", mode: 0o700, uid: 3_000_000, pax: { uid: "3000000" } },
  ]
  const archive = pack()
  for (const header of headers) archive.entry({ ...header }, ...(header.size ? ["data"] : []))
  archive.finalize()
  const found = await flatEntries([await buffer(archive)])
  expect(found.map(({ header }) => ({ ...header, uid: Number(header.pax?.uid ?? header.uid) }))).toMatchObject([
    { ...common, name: "shadow", type: "file", mode: 0, size: 4 },
    { ...common, name: "su", type: "file", mode: 0o4755, size: 4 },
    { ...common, name: "soft", type: "symlink", linkname: "../../etc/shadow" },
    { ...common, name: "hard", type: "link", linkname: "su", size: 0 },
    { ...common, name: "disk", type: "block-device", devmajor: 8, devminor: 1 },
    { ...common, name: "pipe", type: "fifo" },
    { ...common, name: "far", type: "directory", mode: 0o700, uid: 3_000_000 },
  ])
})

test("a folder of the old form, a file whose name ends with a slash, is a folder", async () => {
  const old = changed((header) => {
    header.write("d/", 0)
    header.fill(0, 257, 265)
  })
  expect(await flat([old])).toEqual({ d: "/" })
})

test("an image for another machine, a missing and a changed blob are refused", async () => {
  layout([layer({ a: "1" })], { os: "linux", architecture: "riscv64" })
  expect((await refusal(readOciLayout(folder))).message).toContain("no image for linux on amd64")
  layout([layer({ a: "1" })])
  const [path] = await readOciLayout(folder)
  writeFileSync(path!, "changed")
  expect((await refusal(readOciLayout(folder))).message).toContain("has another content")
  rmSync(path!)
  expect((await refusal(readOciLayout(folder))).message).toContain("is missing")
  writeFileSync(join(folder, "index.json"), "{")
  expect((await refusal(readOciLayout(folder))).code).toBe("invalid_args")
})

test("a layout becomes an image with the name of the system in it", async () => {
  const imagesFolder = join(folder, "images")
  await installImage("debian-12", { imagesFolder }, async (into) => {
    writeFileSync(join(into, imageFiles.rootfs), "root")
    return { os: "debian 12", kernel: Buffer.from("kernel"), drivers: fakeDrivers }
  })
  layout([layer({ "etc/os-release": "ID=old\n" }), gzipSync(layer({ "etc/os-release": "ID=tiny\nVERSION_ID=3\n" }))])
  const image = await importImage("mine", folder, { imagesFolder })
  expect(image).toMatchObject({ name: "mine", os: "tiny 3" })
  expect(image.files.rootfs.bytes).toBeGreaterThan(1_000_000)
})
