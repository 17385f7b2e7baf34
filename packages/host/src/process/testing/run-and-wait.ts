import { nextMark } from "../call-mark.js"
import { startProcess } from "../start-process.js"
import { namespaceWall, plainWall } from "./test-walls.js"

// A program that starts a command and then waits to be killed. Arguments: the kind of wall, the command.
const [kind, command] = process.argv.slice(2)
const wall = kind === "plain" ? plainWall : namespaceWall
await startProcess({
  wall: wall({ directory: "/", environment: {} }),
  mark: nextMark(),
  argv: ["bash", "-c", command!],
  stdio: ["ignore", "ignore", "ignore"],
})
console.log("started")
setInterval(() => undefined, 1000)
