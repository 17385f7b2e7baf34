import { matchesHost } from "../rules/pattern/host-pattern.js"
import { type CapabilityRequest, type CapabilityVerdict, scopesOf } from "./capability-request.js"
import { checkFile } from "./check-file.js"
import { matchesShell } from "./matches-shell.js"

/** Holds every effect of a call against what the tool declared and what it was granted. What is not covered is denied. */
export function checkCapability(request: CapabilityRequest): CapabilityVerdict {
  for (const effect of request.effects) {
    const refusal = effect.kind === "net.fetch" ? checkHost(effect, request) : checkFile(effect, request)
    if (refusal) return refusal
  }
  for (const argv of request.commands ?? []) {
    const refusal = checkCommand(argv, request)
    if (refusal) return refusal
  }
  return pass
}

const pass: CapabilityVerdict = { verdict: "pass", reason: "every effect is inside the declared and the granted scope" }

function checkHost(
  effect: { readonly host: string; readonly port?: number },
  request: CapabilityRequest,
): CapabilityVerdict | undefined {
  const outside = scopesOf(request).find(
    ([scope]) => !scope.everyHost && !scope.hosts.some((pattern) => matchesHost(pattern, effect, false)),
  )
  if (!outside) return undefined
  return { verdict: "deny", reason: `the host "${effect.host}" is outside ${outside[1]}` }
}

function checkCommand(argv: readonly string[], request: CapabilityRequest): CapabilityVerdict | undefined {
  const outside = scopesOf(request).find(([scope]) => !matchesShell(scope.shell, argv))
  if (!outside) return undefined
  return { verdict: "deny", reason: `the command "${argv.join(" ")}" is outside ${outside[1]}` }
}
