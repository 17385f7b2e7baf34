import type { CallScope, FileReader } from "@haft/contract"

/** Whether the call may see a path that a server named; asked once a path. */
export type JudgePath = (path: string) => Promise<boolean>

/** Judges like a read: on the path with every link followed. What lies outside the workspace is not shown either. */
export function judgedPaths(call: CallScope, files: Pick<FileReader, "locate">): JudgePath {
  const verdicts = new Map<string, Promise<boolean>>()
  return (path) => {
    const known = verdicts.get(path)
    if (known) return known
    const verdict = judge(call, files, path)
    verdicts.set(path, verdict)
    return verdict
  }
}

async function judge(call: CallScope, files: Pick<FileReader, "locate">, path: string): Promise<boolean> {
  try {
    return call.grant.admits("fs.read", (await files.locate(path)).resolved)
  } catch {
    return false
  }
}
