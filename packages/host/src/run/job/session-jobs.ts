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
import type { CommandSandboxes, PreparedSandbox } from "../../sandbox/sandbox.js"
import type { Observer } from "../../undo/record/create-observer.js"
import { within } from "../../wait.js"
import { RulesWatch } from "../long-lived/long-lived.js"
import { nextProcessTag, tagName } from "../process/spawn.js"
import {
  createProgramFinder,
  observeDecisions,
  type ProgramFinder,
  quietEnvironment,
  type Workplace,
  workingDirectory,
} from "../workplace.js"
import { Job } from "./job.js"
import { lookAtJob } from "./look-at-job.js"
import { startJobProcess } from "./start-job-process.js"

/** What the jobs of a session are made from. */
export interface JobsOptions extends Workplace {
  readonly sandboxes: CommandSandboxes
  /** Where programs are found; the search path of this process by default. */
  readonly path?: string
  /** Called for the end of each job, exactly once. */
  readonly onEnd?: (view: JobView) => void
  /** Takes back what a job gives away to everybody; without it nothing is looked for. */
  readonly observe?: Pick<Observer, "watchSetId">
}

const maxRunning = 32
const maxEnded = 64
// A job that ends at once tells so in the answer to its start.
const firstLookMs = 100

/** The jobs of a session: each runs in the sandbox of the call that started it. */
export class SessionJobs {
  private readonly jobs = new Map<string, Job>()
  /** Starts whose job does not run yet: they take up room, and a session does not close in front of them. */
  private readonly beginning = new Set<Promise<Job>>()
  private readonly findProgram: ProgramFinder
  private readonly rules = new RulesWatch((rules) => this.obeyAll(rules))
  private count = 0
  private isClosed = false

  constructor(private readonly options: JobsOptions) {
    this.findProgram = createProgramFinder(options)
  }

  /** The job port of one call. */
  port(call: SandboxedCall): Jobs {
    return {
      start: (request) => this.start(call, request),
      output: async (id, looking) => lookAtJob(await this.obedient(id, call), looking),
      input: async (id, text) => {
        const job = await this.obedient(id, call)
        job.input(text)
        return job.view("", job.cursor, 0)
      },
      stop: async (id) => {
        const job = this.find(id)
        await job.stop()
        return lookAtJob(job, { signal: neverAborted })
      },
      list: () => [...this.jobs.values()].map((job) => job.view("", job.buffer.end, 0)),
    }
  }

  /** Ends the jobs that new rules forbid; resolves to those. */
  rulesChanged(rules: PathRules): Promise<readonly EndedProcess[]> {
    return this.rules.changed(rules)
  }

  /** Ends all jobs; nothing of them is left when this settles. */
  async close(): Promise<void> {
    this.isClosed = true
    await Promise.allSettled(this.beginning)
    await Promise.all([...this.jobs.values()].map((job) => job.stop()))
  }

  private async start(call: SandboxedCall, request: JobRequest): Promise<JobView> {
    if (this.isClosed) throw new ToolError("unavailable", `Cannot start "${request.label}": the session is closing`)
    if (this.running().length + this.beginning.size >= maxRunning) {
      const message = `Cannot start "${request.label}": ${maxRunning} jobs are running already; stop one of them first`
      throw new ToolError("rate_limited", message)
    }
    const rulesSince = this.rules.starting()
    const begun = this.begin(call, request)
    this.beginning.add(begun)
    const job = await begun.finally(() => this.beginning.delete(begun))
    const newer = rulesSince()
    if (newer) await job.obey(newer)
    await within(firstLookMs, job.over)
    if (job.setupError) {
      this.jobs.delete(job.id)
      throw job.setupError
    }
    return lookAtJob(job, { signal: call.signal })
  }

  private async begin(call: SandboxedCall, request: JobRequest): Promise<Job> {
    const { options } = this
    const tag = nextProcessTag()
    // The program that makes the terminal the job's own; where there is none, the job runs without job control.
    const setsid = request.terminal ? await this.findProgram("setsid", call.grant.sandbox) : undefined
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
    this.count += 1
    const job = new Job({
      ...{ id: `job_${this.count}`, request, sandbox, process, grant: call.grant },
      outputFolder: join(options.sessionFolder, "out"),
      ...(removeSetId && { removeSetId }),
      onEnd: (view) => {
        this.forgetOldest()
        options.onEnd?.(view)
      },
    })
    this.jobs.set(job.id, job)
    // Closed while the job was starting: it must not outlive the session either.
    if (this.isClosed) await job.stop()
    return job
  }

  private async obedient(id: string, call: SandboxedCall): Promise<Job> {
    const job = this.find(id)
    await job.obey(call.grant)
    return job
  }

  private find(id: string): Job {
    const job = this.jobs.get(id)
    if (job) return job
    const known = [...this.jobs.keys()]
    throw new ToolError("not_found", `Cannot find the job "${id}": there is no job of that name in this session`, {
      hint: known.length > 0 ? `Known jobs: ${known.join(", ")}` : { say: "Start one with {tool:job_start}" },
    })
  }

  private async obeyAll(rules: PathRules): Promise<readonly EndedProcess[]> {
    const ended = this.running().map(async (job): Promise<readonly EndedProcess[]> => {
      const reason = await job.obey(rules)
      return reason === undefined ? [] : [{ kind: "job", name: job.id, reason }]
    })
    return (await Promise.all(ended)).flat()
  }

  private running(): readonly Job[] {
    return [...this.jobs.values()].filter(({ state }) => state === "running")
  }

  private forgetOldest(): void {
    const ended = [...this.jobs].filter(([, { state }]) => state !== "running")
    for (const [id] of ended.slice(0, Math.max(0, ended.length - maxEnded))) this.jobs.delete(id)
  }
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
