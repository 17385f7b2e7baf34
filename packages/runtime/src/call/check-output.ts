import { type AnyManifest, ToolError } from "@haft/contract"

/** Output that fits the tool's schema. A tool that lies is a defect and is reported as one. */
export function checkOutput(manifest: AnyManifest, output: unknown): Readonly<Record<string, unknown>> {
  const parsed = manifest.output.safeParse(output)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(
    (issue: { path: readonly unknown[]; message: string }) => `${issue.path.join(".") || "output"}: ${issue.message}`,
  )
  throw new ToolError(
    "internal",
    `The tool "${manifest.id}" returned something else than it promises: ${problems.join("; ")}`,
    {
      hint: "This is a defect of the tool, not of the call",
    },
  )
}
