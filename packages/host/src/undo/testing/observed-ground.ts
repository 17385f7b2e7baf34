import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { ObservedChanges, ObservedEffect } from "@haft/contract"
import { createTestSession } from "../../run/process/testing/test-session.js"
import { WorkspaceIndex, type WorkspaceIndexOptions } from "../../workspace-index/workspace-index.js"
import { createObserver } from "../record/create-observer.js"
import { type UndoReport, undoEffects } from "../restore/undo-effects.js"

/** A workspace in real folders whose changes are observed and can be undone. */
export interface ObservedGround {
  readonly root: string
  readonly historyFolder: string
  /** A folder beside the workspace. */
  readonly aside: string
  /** Of all that happened so far. */
  readonly effects: ObservedEffect[]
  at(path: string): string
  put(path: string, content: string): void
  /** Runs a line of bash in the workspace. */
  shell(line: string): void
  /** Observes what work changes. */
  during(work: () => void): Promise<ObservedChanges>
  undo(effects?: readonly ObservedEffect[]): Promise<UndoReport>
  close(): Promise<void>
}

/** Makes the folders and looks at them. */
export function createObservedGround(how: Pick<WorkspaceIndexOptions, "events" | "threadFrom"> = {}): ObservedGround {
  const session = createTestSession()
  const { root, historyFolder, sessionFolder, effects } = session
  const index = new WorkspaceIndex({ root, cookieFolder: join(sessionFolder, "index"), ...how })
  const observer = createObserver({ roots: [root], indexes: [index], directory: root, historyFolder, sessionFolder })
  const at = (path: string) => join(root, path)
  return {
    root,
    historyFolder,
    aside: sessionFolder,
    effects,
    at,
    put(path, content) {
      mkdirSync(dirname(at(path)), { recursive: true })
      writeFileSync(at(path), content)
    },
    shell: (line) => void execFileSync("bash", ["-c", line], { cwd: root, stdio: ["ignore", "ignore", "pipe"] }),
    async during(work) {
      const observation = await observer.begin(session.call())
      work()
      return observation.end()
    },
    undo: (undone = effects) => undoEffects(undone, { historyFolder, roots: [root] }),
    async close() {
      await observer.close()
      index.close()
      session.remove()
    },
  }
}
