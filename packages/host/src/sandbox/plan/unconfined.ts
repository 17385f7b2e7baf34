import type { SandboxPolicy, SandboxSpec } from "@haft/contract"
import { buildEnvironment, taken } from "../environment/environment.js"
import type { SandboxOptions } from "../options.js"
import type { PreparedSandbox, SandboxRequest } from "../sandbox.js"

/** What an unconfined command is prepared from. */
export interface UnconfinedRequest {
  readonly request: SandboxRequest
  readonly options: SandboxOptions
  readonly searchPath: readonly string[]
  readonly reason: string
}

/** Why a command runs without a sandbox, or undefined when it must have one. */
export function unconfinedReason(policy: SandboxPolicy, sandbox: Pick<SandboxSpec, "unconfined">): string | undefined {
  if (sandbox.unconfined) return "this command is listed as one that runs outside the sandbox"
  return policy === "off" ? "the sandbox is switched off" : undefined
}

/** Runs a command as it is, with a built environment all the same: secrets of the caller stay out of it. */
export function prepareUnconfined({ request, options, searchPath, reason }: UnconfinedRequest): PreparedSandbox {
  const from = options.variables ?? process.env
  const environment = () =>
    buildEnvironment({
      from,
      searchPath,
      home: options.home,
      user: from.USER ?? "",
      shell: from.SHELL ?? "/bin/sh",
      temporary: from.TMPDIR ?? "/tmp",
      profile: "none",
      names: options.env ?? [],
      secretNames: options.envSecrets ?? [],
      isVisible: () => true,
      // Places of services, which such commands are listed for; none of them is a secret itself.
      further: { ...taken(serviceNames, from, () => true), ...request.environment },
    })
  return {
    isolation: {
      level: "none",
      backend: "none",
      profile: "none",
      network: "host",
      limits: { enforcedBy: "none" },
      notes: [reason],
    },
    launch: ([file = "", ...args]) => ({
      file,
      args,
      env: environment(),
      cwd: request.directory,
      extraFds: [],
    }),
    release: async () => ({ quarantined: [] }),
  }
}

const serviceNames = ["SSH_AUTH_SOCK", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "DOCKER_HOST", "DISPLAY"]
