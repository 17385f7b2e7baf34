/** Loads what makes tools of skills; most sessions have no skill that brings some. */
export function loadSkillTools(): Promise<typeof import("./skill-tools.js")> {
  return import("./skill-tools.js")
}
