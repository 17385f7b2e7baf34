import type { Dialect } from "@haft/contract"
import { catalog, loadDialect, loadDialectTools } from "@haft/tools"

/** A dialect with every tool that may do its work; undefined for our own names. */
export async function dialectNamed(name: string): Promise<Dialect | undefined> {
  const dialect = await loadDialect(name)
  return name === "haft" ? undefined : { ...dialect, workers: [...catalog, ...(await loadDialectTools())] }
}
