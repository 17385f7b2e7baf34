import type { SeedStatement } from "./seed-statement.js"

const here = "packages/haft/test/seeds/seed-002.test.ts"
const works = (number: number, statement: string): SeedStatement => ({
  ...{ id: `002-${number}`, statement, test: here },
  state: "works",
})
const decided = (number: number, statement: string, decision: string): SeedStatement => ({
  ...{ id: `002-${number}`, statement, decision },
  state: "decision",
})
/** Shown by a test of the agent, which has this in its title. */
const inAgent = (number: number, statement: string, title: string): SeedStatement => ({
  ...{ id: `002-${number}`, statement, title },
  state: "works",
  test: "packages/haft/test/agent.test.ts",
})
/** Shown for every face of every tool by a test that has this in its title. */
const inFaces = (number: number, statement: string, title: string): SeedStatement => ({
  ...{ id: `002-${number}`, statement, title },
  state: "works",
  test: "packages/faces/test/every-face.test.ts",
})

/** The statements of LobeHub's guide to built-in tools, in its order. */
export const seed002: readonly SeedStatement[] = [
  works(1, "a tool is a package lobe-<domain> with APIs; its identifier is permanent and is part of each name"),
  works(2, "every API has a manifest entry: name, description and a JSON schema of its parameters"),
  works(3, "content is for the model, and is never empty"),
  works(4, "state is of the result's domain and never repeats all arguments"),
  works(5, "error has a type that is a stable code, a message and a body"),
  works(6, "one funnel makes every result: { success, content, state, error? }"),
  works(7, "the parts of a content stand on lines of their own, and name only tools that the model has"),
  works(8, "a package or an API that is not there is told apart, in the library and on the command line"),
  decided(9, "a package has faces below src/client and an exports map", "docs/decisions/043-layout-of-faces.md"),
  works(10, "the system role of each package tells similar APIs apart and points to batch variants"),
  works(11, "the manifest says for which APIs a person is asked, and has titles"),
  works(12, "titles are there in English and Chinese"),
  works(13, "arguments match the schema; wrong and hostile ones are an error in the same shape"),
  works(14, "the calculator computes without UI state"),
  works(15, "files and commands of the machine, in the sandbox"),
  works(16, "plans and todos, changed in batches"),
  inAgent(17, "tasks that another agent runs", "the model starts another agent with %s and reads its last words"),
  inFaces(
    18,
    "Inspector: the header of each API",
    "something is drawn while arguments stream in, from the first character on",
  ),
  inFaces(
    19,
    "Render: the card of a result",
    "there is nothing before there is data, and a failure is drawn with its code and next step",
  ),
  inFaces(20, "Placeholder: while it runs", "while the call runs, its place is held"),
  inFaces(21, "Streaming: output as it comes", "live output is drawn up to its last line"),
  inFaces(
    22,
    "Intervention: approve or edit before it runs",
    "a person sees what is asked, why, and what can be answered",
  ),
  inFaces(23, "Portal: the full view", "a result that came has something to see, and so has the whole page"),
]
