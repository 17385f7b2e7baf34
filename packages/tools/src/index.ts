export { type BuiltinTools, catalog } from "./catalog.js"
export { promptOfSets, type Toolset, toolsets, toolsInSets } from "./toolset.js"
