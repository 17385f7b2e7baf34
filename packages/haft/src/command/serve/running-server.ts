import { rmSync } from "node:fs"
import { join } from "node:path"
import { bestEffort, ToolError } from "@haft/contract"
import { isAlive } from "@haft/host"
import type { Environment } from "../../config/places.js"
import { readTextFile } from "../../config/read-text-file.js"
import { writePrivateFile } from "../../config/write-private-file.js"
import type { Setup } from "../setup.js"

interface Announced {
  readonly pid: number
  readonly roots: readonly string[]
}

/** Leaves a note of who listens, for the next one who wants the port; the key is not in it. Gives what removes it. */
export function announce({ places, roots }: Setup, port: number): () => void {
  const file = noteFile(places.home, port)
  writePrivateFile(file, `${JSON.stringify({ pid: process.pid, roots } satisfies Announced)}\n`)
  return () => bestEffort("a note of a dead process is not believed", () => rmSync(file))
}

/** The error of a port that is taken: by whom, and what to do. */
export async function portTaken({ places }: Setup, port: number, env: Environment): Promise<ToolError> {
  const next = port + 1
  const start = env.npm_lifecycle_event === "start" ? "npm start -- --port" : "haft serve --port"
  const note = noteOf(noteFile(places.home, port))
  if (note) {
    const message = `Cannot listen on port ${port}: haft serve runs there already, for ${note.roots.join(", ")} (process ${note.pid})`
    return new ToolError("conflict", message, {
      hint: `Open the address that it printed, or use another port: ${start} ${next}`,
    })
  }
  const message = (await isHaft(port))
    ? `Cannot listen on port ${port}: a haft serve of another user or another HAFT_HOME has it`
    : `Cannot listen on port ${port}: another program has it`
  return new ToolError("conflict", message, {
    hint: `Use another port: ${start} ${next}, or --port 0 for any that is free`,
  })
}

function noteFile(home: string, port: number): string {
  return join(home, `serve-${port}.json`)
}

function noteOf(file: string): Announced | undefined {
  const note = bestEffort("a note that cannot be read says nothing", () =>
    JSON.parse(readTextFile(file) ?? "null"),
  ) as Announced | null
  return note && isAlive(note.pid) ? note : undefined
}

async function isHaft(port: number): Promise<boolean> {
  const asked = fetch(`http://127.0.0.1:${port}/api/health`, { signal: AbortSignal.timeout(1000) })
  const answer = await bestEffort(
    "a program that does not answer is none of ours",
    asked.then(async (response) => (await response.json()) as { readonly name?: unknown }),
  )
  return answer?.name === "haft"
}
