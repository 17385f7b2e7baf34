import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

/** What a registry serves, by the path that is asked for. */
export type RegistryFiles = Readonly<Record<string, string | Buffer>>

/** An npm registry below `/npm/` with the package `part`. */
export function npmFiles(origin: string): RegistryFiles {
  const archive = pack(
    {
      "package/package.json": JSON.stringify({ name: "part", version: "1.0.0" }),
      "package/index.js": "module.exports = 42",
    },
    ["tar", "-czf", "archive", "package"],
  )
  const dist = {
    tarball: `${origin}/npm/part/-/part-1.0.0.tgz`,
    integrity: `sha512-${createHash("sha512").update(archive).digest("base64")}`,
  }
  const version = { name: "part", version: "1.0.0", main: "index.js", dist }
  return {
    "/npm/part": JSON.stringify({ name: "part", "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": version } }),
    "/npm/part/-/part-1.0.0.tgz": archive,
  }
}

/** A simple index of Python below `/pip/` with the wheel `part`. */
export function pipFiles(origin: string): RegistryFiles {
  const facts = "part-1.0.0.dist-info"
  const wheel = pack(
    {
      "part.py": "value = 42\n",
      [`${facts}/METADATA`]: "Metadata-Version: 2.1\nName: part\nVersion: 1.0.0\n",
      [`${facts}/WHEEL`]: "Wheel-Version: 1.0\nGenerator: by hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
      [`${facts}/RECORD`]: `part.py,,\n${facts}/METADATA,,\n${facts}/WHEEL,,\n${facts}/RECORD,,\n`,
    },
    ["python3", "-m", "zipfile", "-c", "archive", "part.py", facts],
  )
  const name = "part-1.0.0-py3-none-any.whl"
  const link = `${origin}/pip/files/${name}#sha256=${sha256(wheel)}`
  return {
    "/pip/simple/part/": `<!DOCTYPE html><html><body><a href="${link}">${name}</a></body></html>`,
    [`/pip/files/${name}`]: wheel,
  }
}

/** A sparse index of cargo below `/cargo/` with the crate `part`. */
export function cargoFiles(origin: string): RegistryFiles {
  const crate = pack(
    {
      "part-1.0.0/Cargo.toml": '[package]\nname = "part"\nversion = "1.0.0"\nedition = "2021"\n',
      "part-1.0.0/src/lib.rs": "pub fn value() -> u32 { 42 }\n",
    },
    ["tar", "-czf", "archive", "part-1.0.0"],
  )
  const entry = { name: "part", vers: "1.0.0", deps: [], cksum: sha256(crate), features: {}, yanked: false }
  return {
    "/cargo/index/config.json": JSON.stringify({ dl: `${origin}/cargo/crates`, "auth-required": true }),
    "/cargo/index/pa/rt/part": `${JSON.stringify(entry)}\n`,
    "/cargo/crates/part/1.0.0/download": crate,
  }
}

/** Writes files into a folder of their own, lets a program make `archive` there, and gives its content. */
function pack(files: Readonly<Record<string, string>>, [program, ...words]: readonly [string, ...string[]]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "haft-package-"))
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    execFileSync(program, words, { cwd: folder })
    return readFileSync(join(folder, "archive"))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function sha256(content: Buffer): string {
  return createHash("sha256").update(content).digest("hex")
}
