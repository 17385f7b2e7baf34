import { readFileSync } from "node:fs"
import { undoEffects } from "../../src/files/index.js"

/** Undoes the effects in a file; to be killed half-way. */
const [root = "", historyFolder = "", effects = ""] = process.argv.slice(2)
await undoEffects(JSON.parse(readFileSync(effects, "utf8")), { historyFolder, roots: [root] })
