export { createSearch, type SearchOptions } from "./create-search.js"
export { type ListOptions, listFiles } from "./list-files.js"
export type { HeldDirectory } from "./search-place.js"
