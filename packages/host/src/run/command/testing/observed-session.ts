import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { CommandOutcome, CommandRequest, JobView, ReplOutcome } from "@haft/contract"
import type { BackendName } from "../../../sandbox/backend.js"
import { createSandboxes, type SandboxOptions } from "../../../sandbox/index.js"
import { createObserver } from "../../../undo/record/create-observer.js"
import { SessionJobs } from "../../job/session-jobs.js"
import { createTestSession, type TestCallOptions } from "../../process/testing/test-session.js"
import { SessionRepl } from "../../repl/session-repl.js"
import { createCommands } from "../create-commands.js"

/** Commands, jobs and interpreters of one session in a real sandbox, observed. */
export interface ObservedSession {
  readonly root: string
  run(line: string, more?: Partial<CommandRequest>, call?: TestCallOptions): Promise<CommandOutcome>
  /** Runs a line as a job, to its end. */
  runJob(line: string, call?: TestCallOptions): Promise<JobView>
  /** Evaluates a line in a shell that lives on. */
  evaluate(code: string, call?: TestCallOptions): Promise<ReplOutcome>
  close(): Promise<void>
}

/** Opens a session on a new workspace. */
export async function openObservedSession(
  backend: BackendName,
  options: Partial<SandboxOptions> = {},
): Promise<ObservedSession> {
  const session = createTestSession()
  const { place, historyFolder, root } = session
  const haftHome = realpathSync(mkdtempSync(join(tmpdir(), "haft-home-")))
  mkdirSync(join(haftHome, "cache"))
  const sandboxes = await createSandboxes({
    ...place,
    ...{ policy: "required", backends: [backend], haftHome, cacheFolder: join(haftHome, "cache") },
    ...{ home: process.env.HOME ?? "/root", path: "/usr/bin:/bin:/usr/sbin:/sbin" },
    ...options,
  })
  const observe = createObserver({ ...place, historyFolder })
  const workplace = { ...place, sandboxes, path: "/usr/bin:/bin" }
  const jobs = new SessionJobs({ ...workplace, observe })
  const repl = new SessionRepl(workplace)
  const { signal } = new AbortController()
  const limits = { timeoutMs: 30_000, keepBytes: 10_000 }
  return {
    root,
    run: (line, more, call) =>
      createCommands({ ...workplace, observe })(session.call(call)).run({
        ...{ argv: ["/bin/bash", "-c", line], ...limits },
        ...more,
      }),
    async runJob(line, call) {
      const port = jobs.port(session.call(call))
      let view = await port.start({ argv: ["/bin/bash", "-c", line], label: "job" })
      while (view.state === "running") view = await port.output(view.id, { waitMs: 500, signal })
      return view
    },
    evaluate: (code, call) => repl.port(session.call(call)).evaluate({ language: "shell", code, ...limits, signal }),
    async close() {
      await Promise.all([jobs.close(), repl.close()])
      await observe.close()
      await sandboxes.close()
      session.remove()
      rmSync(haftHome, { recursive: true, force: true })
    },
  }
}
