/** A skill as the prompt lists it. */
export interface SkillEntry {
  readonly name: string
  /** One line: when to use it. */
  readonly description: string
  readonly kind: "instruction" | "persona" | "tool"
  readonly source: "project" | "user" | "configured" | "bundled"
  /** The SKILL.md; absolute. */
  readonly path: string
  readonly tags: readonly string[]
  readonly version?: string
  /** Shown to people; grants nothing. */
  readonly allowedTools: readonly string[]
  /** Tools that the skill brings; absent where its folder is not trusted. */
  readonly tools?: readonly SkillTool[]
}

/** A tool that a skill describes in its front matter. */
export interface SkillTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments: an object. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly backend: SkillBackend
}

/** What does the work of a skill's tool. */
export type SkillBackend =
  /** A tool of the catalogue, which the skill only makes visible. */
  | { readonly type: "builtin"; readonly tool: string }
  | {
      readonly type: "script"
      readonly interpreter: string
      readonly interpreterArguments: readonly string[]
      /** The text of the script. */
      readonly script: string
    }
  | {
      readonly type: "binary"
      /** The program: absolute; absent when it would have to be fetched first. */
      readonly path?: string
      readonly url?: string
      readonly sha256?: string
      /** Words with `${name}` in them; without it the program gets no arguments. */
      readonly argumentsTemplate: readonly string[]
    }
  | {
      readonly type: "http"
      /** `${name}` may be in its path and its query. */
      readonly url: string
      readonly method: string
      readonly headers: Readonly<Record<string, string>>
      readonly bodyTemplate?: string
      readonly timeoutMs: number
    }

/** A loaded skill. */
export interface Skill extends SkillEntry {
  /** The text below the front matter. */
  readonly body: string
  /** The whole file. */
  readonly text?: string
}

/** The skills of a session: the list does not change while the session lasts, bodies load on demand and once. */
export interface Skills {
  list(): Promise<readonly SkillEntry[]>
  /** `not_found` with near names for an unknown name. */
  load(name: string): Promise<Skill>
}
