import { type ErrorCode, ToolError } from "@haft/contract"

interface Wording {
  readonly code: ErrorCode
  readonly reason: string
  readonly hint?: string
  readonly fix?: string
}

const foreign = { hint: "Use another path, or go on without it", fix: "Check owner and mode of the file" }
const full = { hint: "Write less, or elsewhere", fix: "Free some space" }

const wordings: Readonly<Record<string, Wording>> = {
  ENOENT: { code: "not_found", reason: "it does not exist" },
  ENOTDIR: { code: "not_found", reason: "a part of its path is not a directory" },
  EACCES: { code: "denied", reason: "the operating system refuses access", ...foreign },
  EPERM: { code: "denied", reason: "the operating system refuses access", ...foreign },
  EROFS: { code: "denied", reason: "the file system is read-only", hint: "Choose a path on a writable file system" },
  EISDIR: { code: "unsupported", reason: "it is a directory" },
  ENXIO: { code: "unsupported", reason: "it is a device, FIFO or socket" },
  ENODEV: { code: "unsupported", reason: "it is a device, FIFO or socket" },
  ELOOP: { code: "unsupported", reason: "its links lead in a circle" },
  ENAMETOOLONG: { code: "unsupported", reason: "its name is too long", hint: "Choose a shorter name" },
  EINVAL: { code: "unsupported", reason: "the file system does not take this name" },
  EEXIST: { code: "conflict", reason: "something else was created there meanwhile", hint: "Try again" },
  ENOTEMPTY: { code: "conflict", reason: "the directory is not empty" },
  EXDEV: { code: "unsupported", reason: "the two places are on different file systems" },
  EFBIG: { code: "too_large", reason: "the file system does not take files of this size" },
  ENOSPC: { code: "backend", reason: "no space is left on the device", ...full },
  EDQUOT: { code: "backend", reason: "the disk quota is used up", ...full },
  EIO: { code: "backend", reason: "the device reports an input/output error" },
  EMFILE: { code: "unavailable", reason: "too many files are open", hint: "Try again with fewer calls at a time" },
  ENFILE: { code: "unavailable", reason: "too many files are open", hint: "Try again with fewer calls at a time" },
  EBUSY: { code: "unavailable", reason: "it is in use", hint: "Try again later" },
  ETXTBSY: { code: "unavailable", reason: "it is in use", hint: "Try again later" },
  ESTALE: { code: "unavailable", reason: "the remote file system lost track of it", hint: "Try again" },
  ETIMEDOUT: { code: "unavailable", reason: "the remote file system does not answer", hint: "Try again later" },
}

/** Turns a failure of a system call into a ToolError that names the action and the path as shown to people. */
export function fileError(error: unknown, action: string, shown: string): ToolError {
  if (ToolError.is(error)) return error
  const errno = errnoOf(error)
  const wording = (errno && wordings[errno]) || {
    code: "backend" as const,
    reason: errno ? `the operating system reports ${errno}` : String(error),
  }
  return new ToolError(wording.code, `Cannot ${action} "${shown}": ${wording.reason}`, {
    cause: error,
    hint: wording.hint,
    fix: wording.fix,
    ...(errno && { details: { errno } }),
  })
}

/** The symbolic name of a system error, undefined for anything else. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, syscall } = error as NodeJS.ErrnoException
  return typeof code === "string" && typeof syscall === "string" ? code : undefined
}

/** True when the error says that nothing is at the path. */
export function isMissing(error: unknown): boolean {
  const errno = errnoOf(error)
  return errno === "ENOENT" || errno === "ENOTDIR"
}
