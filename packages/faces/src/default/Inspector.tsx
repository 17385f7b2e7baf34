import type { FaceArguments, InspectorProps } from "@haft/contract"
import { InspectorLine, knownArgs } from "../part/InspectorLine.js"

/** Title and the argument that says the most. */
export function Inspector(props: InspectorProps) {
  return <InspectorLine props={props} subject={telling(knownArgs(props))} />
}

// What people would call the call by, best first; then the first text.
const tellingKeys = ["path", "file_path", "command", "url", "query", "pattern", "name", "title", "id"]

function telling(args: FaceArguments): string | undefined {
  const keys = [...tellingKeys, ...Object.keys(args)]
  const key = keys.find((name) => typeof args[name] === "string" && args[name] !== "")
  return key === undefined ? undefined : (args[key] as string)
}
