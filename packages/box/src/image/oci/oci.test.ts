import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { ToolError } from "@haft/contract"
import fc from "fast-check"
import { afterEach, beforeEach, expect, test } from "vitest"
import { buildTar, type TarEntry } from "../../job/build-tar.js"
import { imageFiles } from "../image.js"
import { importImage } from "../import-image.js"
import { installImage } from "../install-image.js"
import { flattenLayers } from "./flatten-layers.js"
import { readOciLayout } from "./read-oci-layout.js"
import { tarEntries } from "./tar-entries.js"

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
  const paths = layers.map((content, number) => {
    const path = join(folder, `layer-${number}`)
    writeFileSync(path, content)
    return path
  })
  const archive = join(folder, "flat.tar")
  rmSync(archive, { force: true })
  await flattenLayers(paths, archive)
  const found: Record<string, string> = {}
  for await (const { path, isFolder, head, content } of tarEntries(oneByOne(readFileSync(archive)))) {
    const body: Buffer[] = []
    await content((piece) => void body.push(piece))
    // The header has the true size; the rest fills the block.
    const size = Number.parseInt(head.toString("latin1", head.length - 388, head.length - 377), 8)
    found[path] = isFolder ? "/" : Buffer.concat(body).toString("utf8", 0, size)
  }
  return found
}

async function* oneByOne(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 777) yield bytes.subarray(at, at + 777)
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
    return { os: "debian 12", kernel: Buffer.from("kernel"), drivers: Buffer.from("drivers") }
  })
  layout([layer({ "etc/os-release": "ID=old\n" }), gzipSync(layer({ "etc/os-release": "ID=tiny\nVERSION_ID=3\n" }))])
  const image = await importImage("mine", folder, { imagesFolder })
  expect(image).toMatchObject({ name: "mine", os: "tiny 3" })
  expect(image.files.rootfs.bytes).toBeGreaterThan(1_000_000)
})
