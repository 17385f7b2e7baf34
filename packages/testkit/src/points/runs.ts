import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import type { Envelope, Example, ToolDefinition } from "@haft/contract"
import { temporaryWorkspace } from "../temporary-workspace.js"
import type { Ended, PointOptions } from "./point.js"

/** An example that ran in a workspace of its own. */
export interface RanExample extends Ended {
  readonly tool: ToolDefinition
  readonly example: Example
  readonly problems: readonly string[]
}

/** Runs calls in real sessions; each example once, for all points. */
export class Runs {
  private ran: Promise<readonly RanExample[]> | undefined
  private readonly closers: (() => Promise<void>)[] = []

  constructor(
    private readonly tools: readonly ToolDefinition[],
    private readonly options: PointOptions,
  ) {}

  examples(): Promise<readonly RanExample[]> {
    this.ran ??= this.runAll()
    return this.ran
  }

  /** A session on a workspace with these files. */
  async open(files: Readonly<Record<string, string>> = {}) {
    const [workspace, state] = [await temporaryWorkspace(files), await temporaryWorkspace()]
    const haft = await this.options.createHaft({
      roots: [workspace.path],
      home: join(state.path, "state"),
      tools: this.tools,
      storage: { configHome: join(state.path, "config"), journal: false },
    })
    this.closers.push(async () => {
      await haft.close()
      await Promise.all([workspace.remove(), state.remove()])
    })
    return { session: await haft.openSession(), workspace }
  }

  async close(): Promise<void> {
    for (const close of this.closers) await close()
  }

  private async runAll(): Promise<readonly RanExample[]> {
    const ran: RanExample[] = []
    for (const tool of this.tools) {
      for (const example of (await tool.examples()).examples) {
        const { session, workspace } = await this.open(example.files)
        const { envelope, content } = await session.result(tool.manifest.id, example.input, { answer: "once" })
        const after: string[] = []
        for (const [path, wanted] of Object.entries(example.after ?? {})) {
          const found = await workspace.readText(path)
          if (found !== wanted)
            after.push(`"${path}" holds ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`)
        }
        ran.push({ tool, example, envelope, content, problems: [...endProblems(example, envelope), ...after] })
      }
    }
    return ran
  }
}

function endProblems({ fails, output = {} }: Example, envelope: Envelope): readonly string[] {
  if (envelope.type === "error") {
    const code = envelope.metadata.error_code
    return code === fails ? [] : [`it failed with ${code}: ${envelope.error_text}`]
  }
  if (fails !== undefined) return [`it should have failed with ${fails}`]
  const data = envelope.data as Readonly<Record<string, unknown>>
  return Object.entries(output)
    .filter(([key, value]) => !isDeepStrictEqual(data[key], value))
    .map(([key, value]) => `${key} is ${JSON.stringify(data[key])} instead of ${JSON.stringify(value)}`)
}
