import { resolve } from "node:path"
import { type OpenSkills, openSkills } from "@haft/host"
import { packagePath } from "../package-folder.js"
import type { Setup } from "../setup.js"

/** The skills that a session with this set-up would have. */
export function skillsHere({
  places,
  roots,
  directory,
  configuration,
}: Pick<Setup, "places" | "roots" | "directory" | "configuration">): OpenSkills {
  const paths = (configuration.values.get("skills.paths") ?? []) as readonly string[]
  return openSkills({
    roots,
    userHome: places.userHome,
    configured: paths.map((path) => resolve(directory, path)),
    bundled: packagePath("skills"),
    trusted: configuration.folders.every(({ trust }) => trust === "trusted"),
  })
}
