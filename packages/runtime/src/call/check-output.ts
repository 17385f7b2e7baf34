import { type AnyManifest, ToolError } from "@haft/contract"

/** Output that fits the tool's schema. A tool that lies is a defect and is reported as one, under the name that was called. */
export function checkOutput(manifest: AnyManifest, output: unknown, name: string): Readonly<Record<string, unknown>> {
  const parsed = manifest.output.safeParse(output)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(
    (issue: { path: readonly unknown[]; message: string }) => `${issue.path.join(".") || "output"}: ${issue.message}`,
  )
  throw new ToolError("internal", `Cannot use the result of "${name}": it is something else than the tool promises`, {
    hint: "This is a defect of the tool, not of the call: go on without it",
    details: { tool: manifest.id, problems },
  })
}
