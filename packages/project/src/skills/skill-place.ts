/** The place of a SKILL.md. */
export interface SkillPlace {
  /** Name of its folder: the name of a skill that says none. */
  readonly folderName: string
  /** The text of a file below the folder, for scripts that are named by path. */
  readFile(path: string): Promise<string>
  /** The absolute path of a file below the folder. */
  resolve(path: string): string
}
