import type { AnyManifest, RequirementSet } from "@haft/contract"

/** What a client may know of a tool's effects before it calls it. The words are those of the Model Context Protocol. */
export interface ToolHints {
  /** It changes nothing outside the session. */
  readonly readOnly: boolean
  /** It may overwrite or delete. */
  readonly destructive: boolean
  /** The same arguments a second time change nothing more. */
  readonly idempotent: boolean
  /** It reaches what is outside the workspace. */
  readonly openWorld: boolean
}

/** Derives the hints from what a tool declares; what is not known is taken as the worse. */
export function hintsOf({
  tier,
  retry,
  requires,
}: Partial<Pick<AnyManifest, "tier" | "retry" | "requires">>): ToolHints {
  const readOnly = tier === "read-only"
  return {
    readOnly,
    destructive: !readOnly,
    idempotent: readOnly || retry === "safe" || (requires !== undefined && overwritesOnly(requires)),
    openWorld: requires === undefined || tier === "full-access" || "net" in requires || "shell" in requires,
  }
}

/** What writes without having read cannot depend on what was there. */
function overwritesOnly({ fs, net, shell, capabilities }: RequirementSet): boolean {
  return fs?.write !== undefined && fs.read === undefined && (net ?? shell ?? capabilities) === undefined
}
