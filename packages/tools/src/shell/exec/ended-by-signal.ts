import type { CommandData } from "../shared/output/command-data.js"

/**
 * The program inside a wall is a child of the wall, which tells a signal as an exit code above 128. A shell gives such codes
 * itself, for what it ran, so its own are left as they are.
 */
export function endedBySignal(data: CommandData, program: string): CommandData {
  const signal = data.exit_code === null ? undefined : signals[data.exit_code]
  if (signal === undefined || data.isolation.level === "none" || givesSuchCodes.test(program)) return data
  return { ...data, exit_code: null, signal }
}

const signals: Readonly<Record<number, string>> = {
  129: "SIGHUP",
  130: "SIGINT",
  131: "SIGQUIT",
  132: "SIGILL",
  134: "SIGABRT",
  135: "SIGBUS",
  136: "SIGFPE",
  137: "SIGKILL",
  139: "SIGSEGV",
  141: "SIGPIPE",
  142: "SIGALRM",
  143: "SIGTERM",
}

const givesSuchCodes = /(?:^|\/)(?:(?:ba|da|z|k|mk|fi|a)?sh|busybox|env|timeout|xargs|nice|nohup|stdbuf|make|npm|npx)$/
