import { nextProcessTag } from "../spawn.js"
import { startProcess } from "../start-process.js"
import { namespaceSandbox, plainSandbox } from "./test-sandboxes.js"

// A program that starts a command and then waits to be killed, or is killed at once. Arguments: the kind of sandbox, the
// command, "at-once".
const [kind, command, end] = process.argv.slice(2)
const sandbox = kind === "plain" ? plainSandbox : namespaceSandbox
await startProcess({
  sandbox: sandbox({ directory: "/", environment: {} }),
  tag: nextProcessTag(),
  argv: ["bash", "-c", command!],
  stdio: ["ignore", "ignore", "ignore"],
})
if (end === "at-once") process.kill(process.pid, "SIGKILL")
console.log("started")
setInterval(() => undefined, 1000)
