export { createSearch, type HeldDirectory, type SearchOptions } from "./create-search.js"
