import { type SessionMemory, ToolError, type WebSearchSettings } from "@haft/contract"
import { sessionState } from "./session-state.js"

/** Counts a search, whichever tool makes it and however it ends, and throws when the session has used all that it has. */
export async function countSearch(memory: SessionMemory, { callsPerSession }: WebSearchSettings): Promise<void> {
  const searches = sessionState(memory, "web-search-count", () => ({
    made: 0,
    before: memory.recordedCalls(searchTools),
  }))
  // A session may go on in another process, and has the same number of searches there.
  const before = await searches.before
  if (before + searches.made >= callsPerSession) {
    throw new ToolError(
      "rate_limited",
      `Cannot search the web: this session has used all of its ${callsPerSession} searches; go on with what was found`,
      {
        hint: { say: "Known pages can still be read with {tool:web_fetch}" },
        fix: "Raise webSearch.callsPerSession in the configuration",
      },
    )
  }
  searches.made += 1
}

const searchTools = ["web_search", "web_search_engines"]
