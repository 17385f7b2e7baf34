import { ToolError } from "@haft/contract"

/** Words a failure of SQLite for the caller: what could not be done, why, and the next step. */
export function explain(error: unknown, action: string, file: string): ToolError {
  if (ToolError.is(error)) return error
  const code = String((error as { code?: unknown } | null)?.code ?? "")
  const text = error instanceof Error ? error.message : String(error)
  const known = isBusy(error)
    ? reasons.SQLITE_BUSY
    : Object.entries(reasons).find(([start]) => code.startsWith(start))?.[1]
  const reason = known ?? { code: "backend" as const, reason: text, step: "run `haft doctor`" }
  return new ToolError(reason.code, `Cannot ${action} "${file}": ${reason.reason}`, {
    hint: reason.step,
    details: { file, sqlite: code || text },
    cause: error,
  })
}

const damaged = {
  code: "backend" as const,
  reason: "the file is damaged or is not a journal",
  step: "move it away (a new one is made, nothing is overwritten) and run `haft doctor`",
}
const readOnly = {
  code: "unavailable" as const,
  reason: "the disk or the file is read-only",
  step: "make it writable or choose another place with the setting `store`",
}
const reasons: Readonly<Record<string, { code: "backend" | "unavailable"; reason: string; step: string }>> = {
  SQLITE_CORRUPT: damaged,
  SQLITE_NOTADB: damaged,
  SQLITE_READONLY: readOnly,
  SQLITE_PERM: readOnly,
  EROFS: readOnly,
  EACCES: readOnly,
  EPERM: readOnly,
  SQLITE_CANTOPEN: {
    code: "unavailable",
    reason: "the file cannot be opened",
    step: "check the folder and its permissions",
  },
  SQLITE_FULL: { code: "unavailable", reason: "the disk is full", step: "free some space and try again" },
  ENOSPC: { code: "unavailable", reason: "the disk is full", step: "free some space and try again" },
  SQLITE_BUSY: {
    code: "unavailable",
    reason: "another process holds the journal's write lock",
    step: "wait until it is done and try again",
  },
  SQLITE_IOERR: {
    code: "backend",
    reason: "the disk gave an input or output error",
    step: "check the disk and its free space",
  },
}

/** Whether SQLite gave up because another connection holds a lock. */
export function isBusy(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === "string" && (code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_LOCKED"))
}
