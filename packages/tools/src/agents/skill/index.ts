import { defineManifest, defineTool, type Example, type Present, type ToolMessages, text } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"

export const manifest = defineManifest({
  id: "skill",
  title: "Skill",
  description:
    "Loads the instructions of a skill by name; runs nothing. Use when a listed skill fits the task, before starting on it.",
  input: z.strictObject({ name: z.string().min(1).max(200).describe("As listed") }),
  output: outputSchema({
    name: z.string(),
    content: z.string().describe("The text between <skill_content> marks, then where the skill's files are"),
  }),
  requires: {},
  operands: ["name"],
  toolset: "locked",
  defaults: [{ action: "allow" }],
  kind: "think",
  tier: "read-only",
  limit: { unit: "bytes", max: 200_000, past: "sidecar", fields: ["content"], keep: "head" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: () => [],
})

/** The text as it is. */
const present: Present<typeof manifest> = ({ content }) => [text(content)]

const messages: ToolMessages = {
  en: { title: "Skill", loading: "Loading a skill", done: "Loaded a skill" },
  "zh-CN": {
    title: "技能",
    loading: "正在加载技能",
    done: "已加载技能",
    summary: "按名称加载技能的说明；不运行任何内容",
  },
}

export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a skill of the project",
    input: { name: "release-notes" },
    output: {
      name: "release-notes",
      content:
        '<skill_content name="release-notes">\nRead the log since the last tag.\n</skill_content>\nFolder of this skill: /project/.agents/skills/release-notes',
    },
  },
  { name: "a name that is misspelt", input: { name: "release-note" }, fails: "not_found" },
  { name: "a name that nothing resembles", input: { name: "zzz" }, fails: "not_found" },
]

/** Loads the text of a skill. */
export const skill = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  faces: () => import("../ui/skill-faces.js"),
})
