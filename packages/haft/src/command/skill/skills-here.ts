import { resolve } from "node:path"
import { type OpenSkills, openSkills, type SkillsOptions } from "@haft/project"
import { skillTrust } from "../../trust/skill-trust.js"
import { packagePath } from "../package-folder.js"
import type { Setup } from "../setup.js"

/** The skills that a session with this set-up would have, with the tools that are trusted, or with all. */
export function skillsHere(
  { places, roots, directory, configuration }: Pick<Setup, "places" | "roots" | "directory" | "configuration">,
  { trusted = skillTrust(configuration) }: Partial<Pick<SkillsOptions, "trusted">> = {},
): OpenSkills {
  const paths = configuration.values.get("skills.paths") ?? []
  return openSkills({
    roots,
    userHome: places.userHome,
    configured: paths.map((path) => resolve(directory, path)),
    bundled: packagePath("skills"),
    trusted,
  })
}
