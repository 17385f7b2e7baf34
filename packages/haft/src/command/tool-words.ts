/** The words around a list of tools. Names of commands and arguments are the same in every language. */
export interface ToolWords {
  readonly arguments: string
  readonly required: string
  readonly default: string
  readonly kind: string
  readonly reach: string
  readonly toolsets: string
  readonly requires: string
  readonly limit: string
  readonly cost: string
  /** What to type next. */
  readonly next: string
  characters(count: number): string
  tokens(count: number): string
  /** How many tools, and what they cost a model where that is known. */
  count(tools: number, tokens: number): string
}

/** The words in a language; in English where there are none. */
export function toolWords(language: string | undefined): ToolWords {
  return language === "zh-CN" ? chinese : english
}

const english: ToolWords = {
  arguments: "Arguments",
  required: "required",
  default: "default",
  kind: "Kind",
  reach: "Reach",
  toolsets: "Toolsets",
  requires: "Requires",
  limit: "Limit",
  cost: "Cost",
  next: "One of them: haft tools NAME. Call it: haft call NAME key=value",
  characters: (count) => `${count} characters`,
  tokens: (count) => `~${count} tokens`,
  count: (tools, tokens) => `${tools} tools${tokens > 0 ? `, about ${tokens} tokens` : ""}`,
}

const chinese: ToolWords = {
  arguments: "参数",
  required: "必填",
  default: "默认",
  kind: "类型",
  reach: "权限范围",
  toolsets: "工具集",
  requires: "需要",
  limit: "上限",
  cost: "开销",
  next: "查看其中一个：haft tools NAME。调用：haft call NAME key=value",
  characters: (count) => `${count} 个字符`,
  tokens: (count) => `约 ${count} 个 token`,
  count: (tools, tokens) => `${tools} 个工具${tokens > 0 ? `，共约 ${tokens} 个 token` : ""}`,
}
