import { lobeName } from "./wire-name.js"

/** Whether a person is asked before an API runs: never, unless it runs by itself, or even then. */
export type LobeIntervention = "never" | "required" | "always"

const marked: Readonly<Record<string, LobeIntervention>> = {
  [lobeName("lobe-local-system", "moveLocalFiles")]: "required",
  [lobeName("lobe-local-system", "writeLocalFile")]: "required",
  [lobeName("lobe-local-system", "editLocalFile")]: "required",
  [lobeName("lobe-local-system", "runCommand")]: "required",
  [lobeName("lobe-gtd", "createPlan")]: "required",
  [lobeName("lobe-gtd", "createTodos")]: "required",
  [lobeName("lobe-gtd", "clearTodos")]: "always",
}

/** What the manifests of LobeHub's packages say about an API; most say nothing, which is never. */
export function lobeIntervention(name: string): LobeIntervention {
  return Object.hasOwn(marked, name) ? marked[name]! : "never"
}
