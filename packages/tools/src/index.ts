import type { ToolDefinition } from "@haft/contract"

export { type BuiltinTools, catalog } from "./catalog.js"
export { type DialectName, dialectNames, loadDialect } from "./dialect/dialects.js"
export { loadTool } from "./load-tool.js"
export { type LobeIntervention, lobeIntervention } from "./dialect/lobe/interventions.js"
export { loadSkillTools } from "./agents/shared/skill-tools/load-skill-tools.js"
export { promptOfSets, type Toolset, toolsets, toolsInSets } from "./toolset.js"

/** Loads what says whether the web can be searched with these settings. */
export async function loadSearchProblem() {
  return (await import("./web/shared/search/search-problem.js")).searchProblem
}

/** Loads what shows an output as a terminal would at its end. */
export async function loadCleanOutput() {
  return (await import("./shell/shared/output/clean-output.js")).cleanOutput
}

/** The tools that only dialects reach; loaded when one is spoken. */
export async function loadDialectTools(): Promise<readonly ToolDefinition[]> {
  return (await import("./dialect-catalog.js")).dialectTools
}
