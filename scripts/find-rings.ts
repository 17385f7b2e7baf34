/** The rings of a graph, each as a path that ends where it began; one ring for each strongly connected part. */
export function findRings(edges: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  return connectedParts(edges).flatMap((part) => {
    const first = part[0]!
    const inside = new Set(part)
    if (part.length === 1 && !(edges.get(first) ?? []).includes(first)) return []
    return [shortestRing(first, edges, inside)]
  })
}

function shortestRing(
  start: string,
  edges: ReadonlyMap<string, readonly string[]>,
  inside: ReadonlySet<string>,
): readonly string[] {
  const paths: (readonly string[])[] = [[start]]
  const seen = new Set<string>()
  for (const path of paths) {
    for (const next of edges.get(path.at(-1)!) ?? []) {
      if (next === start) return [...path, start]
      if (!inside.has(next) || seen.has(next)) continue
      seen.add(next)
      paths.push([...path, next])
    }
  }
  return [start]
}

/** Tarjan's algorithm. */
function connectedParts(edges: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const parts: string[][] = []
  const visit = (node: string) => {
    const index = order.size
    order.set(node, index)
    low.set(node, index)
    stack.push(node)
    for (const next of edges.get(node) ?? []) {
      if (!order.has(next)) visit(next)
      if (stack.includes(next)) low.set(node, Math.min(low.get(node)!, low.get(next)!))
    }
    if (low.get(node) === index) parts.push(stack.splice(stack.indexOf(node)).sort())
  }
  for (const node of edges.keys()) if (!order.has(node)) visit(node)
  return parts
}
