import { catalogue } from "../../words/words.js"

/** The words of the skills. */
export const skillsWords = catalogue({
  en: {
    what: "A skill is a page of know-how that an agent loads when a task needs it. What a skill wants to use is shown and never granted by itself.",
    none: "No skills here",
    noneNext: "Put a folder with a SKILL.md below .agents/skills of the workspace.",
    wants: "Wants to use",
    broken: "A skill could not be read",
    sources: { project: "this project", user: "yours", configured: "configured", bundled: "comes with Haft" },
  },
  "zh-CN": {
    what: "技能是智能体在任务需要时加载的一页知识。技能想使用的内容只会显示，绝不会自动授权。",
    none: "这里没有技能",
    noneNext: "将包含 SKILL.md 的文件夹放入工作区的 .agents/skills。",
    wants: "想要使用",
    broken: "无法读取某个技能",
    sources: { project: "本项目", user: "你的", configured: "已配置", bundled: "Haft 自带" },
  },
})
