import { statSync } from "node:fs"
import { checkPlaces } from "../../config/check-places.js"
import { type Check, type DoctorRequest, failed } from "./check.js"

/** Whether state and configuration are where nobody else can read or change them. */
export function placeChecks({ places, roots }: DoctorRequest): readonly Check[] {
  try {
    checkPlaces(places, roots)
  } catch (error) {
    return [failed("places", error)]
  }
  return [modeCheck("state", places.home), modeCheck("configuration", places.configHome)]
}

function modeCheck(name: string, path: string): Check {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) return { name, state: "ok", found: `${path} (made when needed)` }
  const mode = stats.mode & 0o777
  if (process.platform === "win32" || (mode & 0o077) === 0) return { name, state: "ok", found: path }
  return {
    name,
    state: "warn",
    found: `${path} has mode ${mode.toString(8)}: others can read it`,
    fix: `run chmod 700 ${path}`,
  }
}
