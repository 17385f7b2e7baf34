import { readdirSync, readFileSync, statSync } from "node:fs"
import { createObservedGround } from "../../src/undo/testing/observed-ground.js"

/** Undoes a command that marked what it wrote as read-only; prints what is there afterwards. */
const ground = createObservedGround()
ground.put("kept", "before")
await ground.during(() => ground.shell("echo after > kept; echo new > made; chmod 444 kept made"))
await ground.undo()
const mode = (statSync(ground.at("kept")).mode & 0o777).toString(8)
console.log(JSON.stringify({ names: readdirSync(ground.root), kept: readFileSync(ground.at("kept"), "utf8"), mode }))
await ground.close()
