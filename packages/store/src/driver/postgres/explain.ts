import { ToolError } from "@haft/contract"

/** Words a failure of PostgreSQL for the caller: what could not be done, why, and the next step. */
export function explain(error: unknown, action: string, server: string): ToolError {
  if (ToolError.is(error)) return error
  const code = String((error as { code?: unknown } | null)?.code ?? "")
  const text = error instanceof Error && error.message !== "" ? error.message : code || String(error)
  const reason = reasons[code] ??
    reasons[code.slice(0, 2)] ?? { code: "backend" as const, step: "look into the server's log" }
  return new ToolError(reason.code, `Cannot ${action} "${server}": ${text}`, {
    hint: reason.step,
    details: { server, postgres: code },
    cause: error,
  })
}

const unreachable = { code: "unavailable" as const, step: "check that the server runs and that the address is right" }
// Two characters name a class of SQLSTATE codes.
const reasons: Readonly<Record<string, { code: "backend" | "unavailable" | "not_configured"; step: string }>> = {
  ECONNREFUSED: unreachable,
  ECONNRESET: unreachable,
  ENOTFOUND: unreachable,
  ENOENT: unreachable,
  ETIMEDOUT: unreachable,
  "08": unreachable,
  "57": unreachable,
  "25006": { code: "unavailable", step: "connect to a server that accepts writes" },
  "28": { code: "not_configured", step: "check the user and the password in the setting `store`" },
  "3D": { code: "not_configured", step: "create the database or name another one in the setting `store`" },
  "42501": { code: "not_configured", step: "give the user the right to create tables" },
  "53": { code: "unavailable", step: "free some space or connections on the server" },
}
