export { createSearch, type SearchOptions } from "./create-search.js"
export type { HeldDirectory } from "./search-place.js"
