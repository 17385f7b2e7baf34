// Makes the built command line start fast: puts the chunks that the usual commands load into packs, and writes V8's
// code caches. V8 caches the functions that have run, so the usual commands are run, in a workspace and a home of their own,
// each pack's in processes of their own: what others need would only make it larger.
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"

const script = fileURLToPath(import.meta.url)
const folder = resolve(dirname(script), "../packages/haft/dist/cli")
const todo = ["call", "todo", "--args", JSON.stringify({ todos: [{ content: "a", status: "pending" }] }), "--json"]

// What each pack is for, in the order in which they are learned: the first call of a home also makes the journal.
const usual = {
  "first.js": [todo],
  "start.js": [["tools"], ["--help"]],
  "call.js": [todo],
  "files.js": [
    ["call", "write", "file_path=a.txt", "content=a", "--yes"],
    ["call", "read", "file_path=a.txt"],
    ["call", "edit", "file_path=a.txt", "old_string=a", "new_string=b", "--yes"],
    ["call", "grep", "pattern=b"],
    ["explain", "read", "file_path=a.txt"],
  ],
  "shell.js": [["call", "bash", "command=true", "--yes"]],
  "mcp.js": [["mcp"]],
  // What calls and the server have in common: the server answers before it loads what a call needs.
  "shared.js": [todo, ["mcp"]],
}
// A chunk goes into the first pack that needs it.
const packs = ["start.js", "shared.js", "call.js", "files.js", "shell.js", "mcp.js", "first.js"]

// What a client says first; a command that reads nothing does not see it.
const clientInfo = { name: "haft-build", version: "0" }
const spoken = [
  { id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/list" },
]
const input = spoken.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("")

if (process.argv[2] === "run") await runHere(JSON.parse(process.argv[3]))
else warm()

function warm() {
  const needed = inWorld((run) => Object.fromEntries(Object.keys(usual).map((pack) => [pack, run(pack)])))
  const shared = needed["call.js"].filter((name) => needed["mcp.js"].includes(name))
  writePacks({ ...needed, "shared.js": shared })
  inWorld((run) => Object.keys(usual).map((pack) => run(pack, { cache: true })))
}

/** Gives a way to run the commands of a pack in an empty home, in a process that tells which chunks it loaded. */
function inWorld(use) {
  const base = mkdtempSync(join(tmpdir(), "haft-build-"))
  const cwd = join(base, "workspace")
  mkdirSync(cwd)
  const env = { ...process.env, HAFT_HOME: join(base, "home"), XDG_CONFIG_HOME: join(base, "config"), HOME: base }
  try {
    return use((pack, { cache = false } = {}) => {
      const job = JSON.stringify({ pack, cache })
      const { status, output } = spawnSync(process.execPath, [script, "run", job], {
        cwd,
        env,
        stdio: ["pipe", "ignore", "pipe", "pipe"],
        input,
        encoding: "utf8",
      })
      if (status === 0) return JSON.parse(output[3])
      // Without it these commands only start slower; where nothing can be confined, no shell command succeeds.
      console.log(`no start-up cache in ${pack}: ${output[2]}`)
      return []
    })
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

/** Runs the commands of a pack in this process, as the command line does. */
async function runHere({ pack, cache }) {
  const { main, loaded } = createRequire(script)(join(folder, "main.cjs"))
  for (const argv of usual[pack]) {
    const code = await main(argv)
    if (code !== 0) throw new Error(`"haft ${argv.join(" ")}" ended with ${code}`)
  }
  const compiled = cache && loaded.scripts.get(pack)?.script
  if (compiled) writeFileSync(join(folder, `${pack}.cache`), compiled.createCachedData())
  writeSync(3, JSON.stringify([...loaded.modules.keys()]))
}

function writePacks(needed) {
  const places = {}
  for (const pack of packs) for (const name of needed[pack]) places[name] ??= pack
  for (const pack of packs) {
    const names = needed[pack].filter((name) => places[name] === pack)
    const chunks = names.map((name) => {
      const source = readFileSync(join(folder, name), "latin1")
      return `${JSON.stringify(name)}:function(module,require,__chunkUrl,__late,__module,__toESM){${source}\n}`
    })
    const index = pack === "start.js" ? `packs:${JSON.stringify(places)},` : ""
    writeFileSync(join(folder, pack), `({${index}chunks:{${chunks.join(",\n")}}})`, "latin1")
    for (const name of names) rmSync(join(folder, name))
  }
}
