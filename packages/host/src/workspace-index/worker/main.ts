import { parentPort } from "node:worker_threads"
import { type CopyRequest, copyFiles } from "../../undo/keep/copy-files.js"
import { type LookRequest, lookAtDirectories } from "../look-at-entries.js"

// The program of the worker thread that shares the work before a first command with the main thread (second-thread.ts).
parentPort!.on("message", (request: LookRequest | CopyRequest) => {
  parentPort!.postMessage("paths" in request ? copyFiles(request) : lookAtDirectories(request))
})
