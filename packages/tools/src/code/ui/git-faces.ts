import type { ToolFaces } from "@haft/contract"
import { resultFaces } from "@haft/faces"
import { GitInspector, GitIntervention, GitResult } from "./Git.js"

/** How a look at a repository is shown: tables for lists, a diff for a diff, else its text. */
export const faces: ToolFaces = {
  Inspector: GitInspector,
  Intervention: GitIntervention,
  ...resultFaces(GitResult),
}
