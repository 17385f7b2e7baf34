import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `question` promises; `nobody is there` runs headless, the others with a person. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a choice",
    input: { questions: [{ question: "Which database?", options: [{ label: "SQLite" }, { label: "Postgres" }] }] },
    output: { answers: [["SQLite"]] },
  },
  {
    name: "free text",
    input: { questions: [{ question: "What should the command be called?", header: "Name" }] },
    output: { answers: [["haft"]] },
  },
  {
    name: "several at once",
    input: {
      questions: [
        { question: "Which platforms?", multi_select: true, options: [{ label: "Linux" }, { label: "macOS" }] },
        { question: "Publish it?", options: [{ label: "Yes", description: "to the registry" }, { label: "No" }] },
      ],
    },
    output: { answers: [["Linux", "macOS"], ["No"]] },
  },
  { name: "nobody is there", input: { questions: [{ question: "Go on?" }] }, fails: "unavailable" },
]
