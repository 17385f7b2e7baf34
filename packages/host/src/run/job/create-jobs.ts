import { join } from "node:path"
import {
  type EndedProcess,
  type JobRequest,
  type Jobs,
  type JobView,
  type PathRules,
  type SandboxedCall,
  ToolError,
} from "@haft/contract"
import type { Observer } from "../../observe/index.js"
import type { CommandSandboxes, PreparedSandbox } from "../../sandbox/sandbox.js"
import { within } from "../../wait.js"
import { observeDecisions } from "../command/observe-decisions.js"
import { quietEnvironment } from "../command/quiet-environment.js"
import { type Workplace, workingDirectory } from "../command/working-directory.js"
import { createRulesWatch, type RulesWatch } from "../long-lived/rules-watch.js"
import { nextProcessTag, tagName } from "../process/spawn.js"
import { createProgramFinder, type ProgramFinder } from "../program/program-finder.js"
import { Job } from "./job.js"
import { lookAtJob } from "./look-at-job.js"
import { startJobProcess } from "./start-job-process.js"

/** What the jobs of a session are made from. */
export interface JobsOptions extends Workplace {
  readonly sandboxes: CommandSandboxes
  /** Where programs are found; the search path of this process by default. */
  readonly path?: string
  /** Told about the end of each job, exactly once. */
  readonly onEnd?: (view: JobView) => void
  /** Takes back what a job gives away to everybody; without it nothing is looked for. */
  readonly observe?: Pick<Observer, "watchSetId">
}

/** The jobs of a session. */
export interface SessionJobs extends Pick<RulesWatch, "rulesChanged"> {
  jobs(call: SandboxedCall): Jobs
  /** Ends all jobs; nothing of them is left when this settles. */
  close(): Promise<void>
}

const maxRunning = 32
const maxEnded = 64
// A job that ends at once tells so in the answer to its start.
const firstLookMs = 100

/** The job port of a session: each job stands behind the sandbox of the call that started it. */
export function createJobs(options: JobsOptions): SessionJobs {
  const jobs = new Map<string, Job>()
  /** Starts whose job does not run yet: they take up room, and a session does not close in front of them. */
  const beginning = new Set<Promise<Job>>()
  let count = 0
  let closed = false
  const findProgram = createProgramFinder(options)
  const { rulesChanged, starting } = createRulesWatch((rules) => obeyAll(jobs, rules))

  const start = async (call: SandboxedCall, request: JobRequest): Promise<JobView> => {
    if (closed) throw new ToolError("unavailable", `Cannot start "${request.label}": the session is closing`)
    if (running(jobs).length + beginning.size >= maxRunning) {
      const message = `Cannot start "${request.label}": ${maxRunning} jobs are running already; stop one of them first`
      throw new ToolError("rate_limited", message)
    }
    const rulesSince = starting()
    const begun = begin(call, request)
    beginning.add(begun)
    const job = await begun.finally(() => beginning.delete(begun))
    const newer = rulesSince()
    if (newer) await job.obey(newer)
    await within(firstLookMs, job.over)
    if (job.setupError) {
      jobs.delete(job.id)
      throw job.setupError
    }
    return lookAtJob(job, { signal: call.signal })
  }
  const begin = async (call: SandboxedCall, request: JobRequest): Promise<Job> => {
    const tag = nextProcessTag()
    const setsid = request.terminal ? await findSetsid(findProgram, call) : undefined
    const mayWrite = call.grant.sandbox.profile.startsWith("workspace-write")
    const removeSetId = mayWrite ? await options.observe?.watchSetId() : undefined
    const sandbox = await prepareSandbox(options, call, request, tag)
    const start = async () => {
      call.grant.begins?.()
      return startJobProcess({ sandbox, tag, request, setsid })
    }
    const process = await start().catch(async (error) => {
      await sandbox.release()
      throw error
    })
    count += 1
    const id = `job_${count}`
    const job = new Job({
      ...{ id, request, sandbox, process, grant: call.grant },
      outputFolder: join(options.sessionFolder, "out"),
      ...(removeSetId && { removeSetId }),
      onEnd: (view) => {
        forgetOldest(jobs)
        options.onEnd?.(view)
      },
    })
    jobs.set(id, job)
    // Closed while the job was starting: it must not outlive the session either.
    if (closed) await job.stop()
    return job
  }
  const find = (id: string): Job => {
    const job = jobs.get(id)
    if (job) return job
    const known = [...jobs.keys()]
    throw new ToolError("not_found", `Cannot find the job "${id}": there is no job of that name in this session`, {
      hint: known.length > 0 ? `Known jobs: ${known.join(", ")}` : { say: "Start one with {tool:job_start}" },
    })
  }

  return {
    jobs: (call) => ({
      start: (request) => start(call, request),
      async output(id, looking) {
        const job = find(id)
        await job.obey(call.grant)
        return lookAtJob(job, looking)
      },
      async input(id, text) {
        const job = find(id)
        await job.obey(call.grant)
        job.input(text)
        return job.view("", job.cursor, 0)
      },
      async stop(id) {
        const job = find(id)
        await job.stop()
        return lookAtJob(job, { signal: neverAborted })
      },
      list: () => [...jobs.values()].map((job) => job.view("", job.buffer.end, 0)),
    }),
    rulesChanged,
    async close() {
      closed = true
      await Promise.allSettled(beginning)
      await Promise.all([...jobs.values()].map((job) => job.stop()))
    },
  }
}

async function obeyAll(jobs: ReadonlyMap<string, Job>, rules: PathRules): Promise<readonly EndedProcess[]> {
  const ended = running(jobs).map(async (job): Promise<readonly EndedProcess[]> => {
    const reason = await job.obey(rules)
    return reason === undefined ? [] : [{ kind: "job", name: job.id, reason }]
  })
  return (await Promise.all(ended)).flat()
}

const neverAborted = new AbortController().signal

async function prepareSandbox(
  options: JobsOptions,
  call: SandboxedCall,
  request: JobRequest,
  tag: string,
): Promise<PreparedSandbox> {
  const terminal = request.terminal && { TERM: "xterm-256color" }
  const { grant, signal } = call
  return options.sandboxes.prepare({
    sandbox: grant.sandbox,
    directory: await workingDirectory(request.directory, options),
    environment: { ...quietEnvironment, ...terminal, ...request.environment, [tagName]: tag },
    denies: (kind, path) => grant.denies(kind, path),
    rulesKey: grant.rulesKey,
    lasting: true,
    signal,
    // They come as long as the job runs, most of them after the call that started it.
    onDecision: observeDecisions(call),
  })
}

/** The program that makes the terminal the job's own; where there is none, the job runs without job control. */
function findSetsid(find: ProgramFinder, { grant }: SandboxedCall): Promise<string | undefined> {
  return find("setsid", grant.sandbox)
}

function running(jobs: ReadonlyMap<string, Job>): readonly Job[] {
  return [...jobs.values()].filter(({ state }) => state === "running")
}

function forgetOldest(jobs: Map<string, Job>): void {
  const ended = [...jobs].filter(([, { state }]) => state !== "running")
  for (const [id] of ended.slice(0, Math.max(0, ended.length - maxEnded))) jobs.delete(id)
}
