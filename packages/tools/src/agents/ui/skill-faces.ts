import type { ToolFaces } from "@haft/contract"
import { resultFaces } from "@haft/faces"
import { SkillResult } from "./Skill.js"

/** How a skill that was loaded is shown. */
export const faces: ToolFaces = resultFaces(SkillResult)
