import { ToolError } from "@haft/contract"
import { type Destination, parseDestination } from "./destinations.js"

/** Reads a destination that somebody named; anything else is refused. */
export function readGrant(text: string): Destination {
  const destination = parseDestination(text)
  if (destination) return destination
  throw new ToolError("invalid_args", `Cannot grant "${text}": it is no host; write "example.org" or "127.0.0.1:8080"`)
}
