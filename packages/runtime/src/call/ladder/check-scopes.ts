import type { Effect, ToolDefinition } from "@haft/contract"
import { type CapabilityRequest, type CapabilityVerdict, checkCapability, compileRequirements } from "@haft/guard"
import type { CallSession } from "../../session/call-session.js"
import type { Principal } from "../call-request.js"

/** A call as far as scopes look at it. */
interface ScopedCall {
  readonly tool: Pick<ToolDefinition, "manifest">
  readonly session: CallSession
  readonly principal?: Principal | undefined
}

/** What a call does, compared with what the tool requires, the host grants and, where another one asks for it, that one was given. */
export function checkScopes(
  { tool, session, principal }: ScopedCall,
  doing: { readonly effects: readonly Effect[] } & Pick<CapabilityRequest, "commands" | "agentShell">,
): CapabilityVerdict {
  const scopes = { tool: session.scopeOf(tool.manifest), mode: session.mode, variables: session.variables }
  const verdict = checkCapability({ ...scopes, granted: session.granted, ...doing })
  if (principal === undefined || verdict.verdict === "deny") return verdict
  const own = checkCapability({
    ...scopes,
    granted: compileRequirements(principal.granted, session.variables),
    ...doing,
  })
  return { ...own, reason: `${principal.name} asks for it: ${own.reason}` }
}
