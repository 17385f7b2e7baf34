import type { ClipboardOptions } from "./create-clipboard.js"

/** How many ways lead to the clipboard of this system. Without one, each session has a buffer of its own. */
export async function clipboardRouteCount(options: ClipboardOptions): Promise<number> {
  const { findRoutes } = await import("./find-routes.js")
  return (await findRoutes(options)).length
}
