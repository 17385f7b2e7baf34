import { ToolError } from "@haft/contract"

/** The failure of a patch that cannot be read. */
export function malformed(reason: string, patchLine?: number): ToolError {
  const where = patchLine === undefined ? "" : `line ${patchLine}: `
  return new ToolError("invalid_args", `Cannot use the patch: ${where}${reason}`, {
    hint: "Send a unified diff as git diff prints it, or the *** Begin Patch form",
    ...(patchLine !== undefined && { details: { patch_line: patchLine } }),
  })
}
