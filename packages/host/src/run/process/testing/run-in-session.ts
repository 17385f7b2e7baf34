import { join } from "node:path"
import { type ProcessRequest, runProcess } from "../run-process.js"
import { nextProcessTag } from "../spawn.js"
import { plainSandbox } from "./test-sandboxes.js"
import type { TestSession } from "./test-session.js"

/** Runs a line of bash in a test session, without a sandbox unless one is given. */
export function runInSession(session: TestSession, command: string, options: Partial<ProcessRequest> = {}) {
  return runProcess({
    sandbox: plainSandbox({ directory: session.root, environment: {} }),
    tag: nextProcessTag(),
    argv: ["bash", "-c", command],
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    keepBytes: 10_000,
    sidecar: { folder: join(session.sessionFolder, "out"), name: "call" },
    ...options,
  })
}
