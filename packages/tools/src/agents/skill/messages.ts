import type { ToolMessages } from "@haft/contract"

/** The words of `skill` for people. */
export const messages: ToolMessages = {
  en: { title: "Skill", loading: "Loading a skill", done: "Loaded a skill" },
  "zh-CN": { title: "技能", loading: "正在加载技能", done: "已加载技能" },
}
