import type { CommandAnalysis } from "../../src/index.js"
import { joinPath } from "../../src/path.js"

/** A command and what it does, in the words of `summary`. */
export type CommandRow = readonly [command: string, does: string]

/** The place that the tables are written for. */
export const place = { directory: "/w", home: "/home/me", roots: ["/w"] } as const

/** What a line does in one sentence; paths below `/w` are given without it. */
export function summary({ parts }: CommandAnalysis): string {
  const listed = (["reads", "writes", "deletes"] as const).map((kind) => {
    const paths = new Set(parts.flatMap((part) => part[kind].map((path) => short(joinPath(part.directory, path)))))
    return paths.size > 0 ? `${kind} ${[...paths].join(", ")}` : ""
  })
  const hosts = parts.flatMap((part) => part.hosts.map(({ host, port }) => (port ? `${host}:${port}` : host)))
  const clauses = [
    ...listed,
    hosts.length > 0 ? `hosts ${hosts.join(", ")}` : "",
    parts.some((part) => part.gitContent) ? "git content" : "",
    parts.some((part) => part.opaque) ? "opaque" : "",
  ]
  return clauses.filter((clause) => clause !== "").join("; ") || "nothing"
}

function short(path: string): string {
  if (path === "/w") return "."
  return path.startsWith("/w/") ? path.slice(3) : path
}
