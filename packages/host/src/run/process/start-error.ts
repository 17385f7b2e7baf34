import { ToolError } from "@haft/contract"

/** Why a program could not be started, from the error of the system. */
export function startError(program: string, code: string | undefined, cause?: Error): ToolError {
  const options = { ...(cause && { cause }), details: { errno: code } }
  switch (code) {
    case "ENOENT":
      return new ToolError(
        "not_found",
        `Cannot run "${program}": there is no such program; install it or name another`,
        options,
      )
    case "EACCES":
      return new ToolError("denied", `Cannot run "${program}": it is not executable; check its mode`, options)
    case "E2BIG":
      return new ToolError(
        "too_large",
        `Cannot run "${program}": its arguments are too long; pass them in a file`,
        options,
      )
    case "EAGAIN":
    case "EMFILE":
    case "ENFILE":
    case "ENOMEM":
      return new ToolError(
        "unavailable",
        `Cannot run "${program}": the system has no room for another process; try again later`,
        options,
      )
    default:
      return new ToolError(
        "backend",
        `Cannot run "${program}": ${cause?.message ?? "it could not be started"}`,
        options,
      )
  }
}

/** The same for a shell that could not become the program and gave this code: 127 where there is none, 126 otherwise. */
export function programNotStarted(program: string, code: number): ToolError {
  return startError(program, code === 127 ? "ENOENT" : "EACCES")
}
