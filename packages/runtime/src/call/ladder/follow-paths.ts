import type { Located, SessionPorts } from "@haft/contract"
import type { LocatePath } from "@haft/guard"

/**
 * Finds where the paths of a command lead, as the kernel walks them: behind a link `..` is the folder above its target and
 * not the one that the link lies in, also for the folder that the command runs in.
 */
export function followPaths({ locate }: Pick<SessionPorts, "locate">): LocatePath {
  const known = new Map<string, Promise<Located>>()
  const locateOnce = (path: string): Promise<Located> => {
    const found = known.get(path) ?? locate(path)
    known.set(path, found)
    return found
  }
  return async (path, from) => {
    const whole = path.startsWith("/") ? path : `${from}/${path}`
    if (!climbs.test(path)) return locateOnce(whole)
    // The folder itself is one that the shell changed into: its own path holds no step upwards.
    let place = path.startsWith("/") ? "" : from
    for (const step of path.split("/")) {
      if (step === "..") place = parentOf(placeOf(await locateOnce(place || "/")))
      else if (step !== "" && step !== ".") place = `${place}/${step}`
    }
    return locateOnce(place || "/")
  }
}

/** Where a command finds it. */
function placeOf({ named, resolved }: Located): string {
  return named ?? resolved
}

const climbs = /(?:^|\/)\.\.(?:\/|$)/

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"))
}
