export { loadSkillTools } from "./agents/shared/skill-tools/load-skill-tools.js"
export { type BuiltinTools, catalog } from "./catalog.js"
export { loadTool } from "./load-tool.js"
export { promptOfSets, type Toolset, toolsets, toolsInSets } from "./toolset.js"
export { searchHosts } from "./web/shared/search/provider-place.js"

/** Loads what says whether the web can be searched with these settings. */
export async function loadSearchProblem() {
  return (await import("./web/shared/search/search-problem.js")).searchProblem
}

/** Loads what shows an output as a terminal would at its end. */
export async function loadCleanOutput() {
  return (await import("./shell/shared/output/clean-output.js")).cleanOutput
}

/** Loads what tells two texts apart, line by line. */
export async function loadLineDiff() {
  return (await import("./files/shared/preview/line-diff.js")).lineDiff
}

/** Loads what tells an image or a PDF by its first bytes. */
export async function loadSniffMedia() {
  return (await import("./files/read/line-page.js")).sniffMedia
}
