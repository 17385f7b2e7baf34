/** How many matches each file has, the most first. */
export function count(matches) {
  const byFile = new Map()
  for (const { path } of matches) byFile.set(path, (byFile.get(path) ?? 0) + 1)
  return [...byFile].map(([path, todos]) => ({ path, todos })).sort((one, other) => other.todos - one.todos)
}
