// Makes the built command line start fast: puts the chunks that the usual commands load into packs, and writes V8's
// code caches. V8 caches the functions that have run, so the usual commands are run, in a workspace and a home of their own.
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { Readable, Writable } from "node:stream"
import { fileURLToPath } from "node:url"

const script = fileURLToPath(import.meta.url)
const folder = resolve(dirname(script), "../packages/haft/dist/cli")
const todo = JSON.stringify({ todos: [{ content: "a", status: "pending" }] })

// What each pack is for. A chunk goes into the first pack that needs it.
const usual = {
  "start.js": [["tools"], ["--help"]],
  "call.js": [["call", "todo", "--args", todo, "--json"]],
  "files.js": [
    ["call", "write", "file_path=a.txt", "content=a", "--yes"],
    ["call", "read", "file_path=a.txt"],
    ["call", "edit", "file_path=a.txt", "old_string=a", "new_string=b", "--yes"],
    ["call", "grep", "pattern=b"],
    ["explain", "read", "file_path=a.txt"],
  ],
}

const phases = { learn, cache }
const phase = phases[process.argv[2]]
if (phase) await phase()
else {
  const learned = spawnSync(process.execPath, [script, "learn"], { encoding: "utf8" })
  if (learned.status === 0) {
    writePacks(JSON.parse(learned.stdout))
    spawnSync(process.execPath, [script, "cache"])
  } else {
    // Without packs and caches the command only starts slower.
    console.log(`no start-up cache: ${learned.stderr}`)
  }
}

/** Prints which chunks the commands of each pack load. */
async function learn() {
  const { main, loaded } = openCommand()
  const needed = {}
  for (const [pack, commands] of Object.entries(usual)) {
    const before = new Set(loaded.modules.keys())
    await runAll(main, commands)
    needed[pack] = [...loaded.modules.keys()].filter((name) => !before.has(name))
  }
  console.log(JSON.stringify(needed))
}

/** Runs everything from the packs and keeps what V8 compiled. */
async function cache() {
  const { main, loaded } = openCommand()
  for (const commands of Object.values(usual)) await runAll(main, commands)
  for (const [name, { script: compiled }] of loaded.scripts)
    writeFileSync(join(folder, `${name}.cache`), compiled.createCachedData())
}

function writePacks(needed) {
  const places = Object.fromEntries(
    Object.entries(needed).flatMap(([pack, names]) => names.map((name) => [name, pack])),
  )
  for (const [pack, names] of Object.entries(needed)) {
    const chunks = names.map((name) => {
      const source = readFileSync(join(folder, name), "latin1")
      return `${JSON.stringify(name)}:function(exports,require,module,__filename,__dirname,__chunkUrl){${source}\n}`
    })
    const index = pack === "start.js" ? `packs:${JSON.stringify(places)},` : ""
    writeFileSync(join(folder, pack), `({${index}chunks:{${chunks.join(",\n")}}})`, "latin1")
    for (const name of names) rmSync(join(folder, name))
  }
}

function openCommand() {
  return createRequire(script)(join(folder, "main.cjs"))
}

async function runAll(main, commands) {
  const base = mkdtempSync(join(tmpdir(), "haft-build-"))
  const cwd = join(base, "workspace")
  mkdirSync(cwd)
  const env = { ...process.env, HAFT_HOME: join(base, "home"), XDG_CONFIG_HOME: join(base, "config"), HOME: base }
  const sink = () => new Writable({ write: (_piece, _encoding, done) => done() })
  try {
    for (const argv of commands) {
      const code = await main(argv, { stdin: Readable.from([]), stdout: sink(), stderr: sink(), env, cwd })
      if (code !== 0) throw new Error(`"haft ${argv.join(" ")}" ended with ${code}`)
    }
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}
