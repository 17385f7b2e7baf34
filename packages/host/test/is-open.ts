import { accessSync, constants } from "node:fs"
import { bestEffort } from "@haft/contract"

/** Whether this user may look into a folder. After `chmod 600` only root may, and an ordinary user knows nothing of it. */
export function isOpen(folder: string): boolean {
  return bestEffort("it is closed", () => accessSync(folder, constants.R_OK | constants.X_OK) ?? true) ?? false
}
