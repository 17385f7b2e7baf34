import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openScript, type ScriptModel } from "@haft/agent"
import type { SessionEvent } from "@haft/contract"
import { createHaft, type Haft, type HaftOptions } from "../src/index.js"

/** A message of a request, as far as tests look at it. */
export interface SeenMessage {
  readonly role: string
  readonly content: unknown
}

/** A scripted model, and the prompts of the requests that it got. */
export interface SeenModel {
  readonly model: ScriptModel
  readonly prompts: (readonly SeenMessage[])[]
  readonly requests: Parameters<ScriptModel["doStream"]>[0][]
}

/** A workspace with a home of its own for agents with scripted models. */
export class AgentWorld {
  readonly folder: string
  private readonly opened: Haft[] = []

  private constructor(folder: string) {
    this.folder = folder
  }

  static async make(): Promise<AgentWorld> {
    const folder = await mkdtemp(join(tmpdir(), "haft-agent-"))
    await mkdir(join(folder, "work"))
    await writeFile(join(folder, "work/a.txt"), "one\ntwo TODO\n")
    return new AgentWorld(folder)
  }

  get work(): string {
    return join(this.folder, "work")
  }

  /** Another Haft on the same workspace and journal, as another process would have it. */
  async open(options: HaftOptions = {}): Promise<Haft> {
    const haft = await createHaft({ roots: [this.work], home: join(this.folder, "home"), ...options })
    this.opened.push(haft)
    return haft
  }

  /** A model that replies with these lines of a script. */
  async model(...lines: readonly object[]): Promise<SeenModel> {
    const file = join(this.folder, `script-${Math.random().toString(36).slice(2)}.jsonl`)
    await writeFile(file, lines.map((line) => JSON.stringify(line)).join("\n"))
    const scripted = await openScript(file)
    const seen: SeenModel = { model: scripted, prompts: [], requests: [] }
    const model = new Proxy(scripted, {
      get: (target, key) =>
        key === "doStream"
          ? (options: Parameters<ScriptModel["doStream"]>[0]) => {
              seen.prompts.push(structuredClone(options.prompt) as readonly SeenMessage[])
              seen.requests.push(options)
              return target.doStream(options)
            }
          : Reflect.get(target, key),
    })
    return { ...seen, model }
  }

  async remove(): Promise<void> {
    for (const haft of this.opened) await haft.close()
    await rm(this.folder, { recursive: true, force: true })
  }
}

/** All events until a turn ends. */
export async function all(events: AsyncIterable<SessionEvent>): Promise<readonly SessionEvent[]> {
  const list: SessionEvent[] = []
  for await (const event of events) list.push(event)
  return list
}
