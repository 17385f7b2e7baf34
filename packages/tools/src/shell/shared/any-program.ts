import type { ShellRequirement } from "@haft/contract"

/** The requirement of a tool that starts whatever program its call names; the judge looks at each command. */
export const anyProgram: readonly ShellRequirement[] = [{ cmd: "*" }]
