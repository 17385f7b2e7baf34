import type { FaceArguments, InspectorProps } from "@haft/contract"
import { Header } from "../part/Header.js"

/** Title and the argument that says the most. */
export function Inspector(props: InspectorProps) {
  const { args, partialArgs, isLoading } = props
  const subject = telling(args) ?? telling(partialArgs)
  return <Header {...props} {...(subject !== undefined && { subject })} pulsing={isLoading === true} />
}

// What people would call the call by, best first; then the first text.
const tellingKeys = ["path", "file_path", "command", "url", "query", "pattern", "name", "title", "id"]

function telling(args: FaceArguments | undefined): string | undefined {
  if (args === undefined) return undefined
  const keys = [...tellingKeys, ...Object.keys(args)]
  const key = keys.find((name) => typeof args[name] === "string" && args[name] !== "")
  return key === undefined ? undefined : (args[key] as string)
}
