import { nearestNames } from "@haft/contract"
import type { PublishedSchema } from "./repair-arguments.js"

/** How this place says what other systems say with another key. */
export function wayToSay(key: string, { properties = {} }: PublishedSchema): string | undefined {
  const keys = Object.keys(properties)
  const token = tokenOf(key)
  const group = synonyms.filter((words) => words.some((word) => tokenOf(word) === token)).flat()
  const [name] = [...keys.filter((own) => group.includes(own)), ...nearestNames(key, keys, 1)]
  if (name === undefined) return undefined
  const words = properties[name]!.description
  return `Use "${name}"${words === undefined ? "" : ` (${words})`} instead of "${key}"`
}

function tokenOf(key: string): string {
  return key.toLowerCase().replace(/[^a-z0-9]/g, "")
}

/** Words for one thing, each line in the order in which a tool is searched for the one that it takes. */
const synonyms: readonly (readonly string[])[] = [
  ["file_path", "path", "file", "filename", "file_name", "filepath", "absolute_path", "target_file", "notebook_path"],
  ["path", "directory", "dir", "folder", "root", "base_path", "cwd", "search_path", "dir_path"],
  ["command", "cmd", "script", "shell_command", "command_line", "code"],
  ["timeout", "timeout_ms", "timeoutMs", "timeout_seconds", "timeout_s", "max_time", "deadline"],
  ["pattern", "query", "regex", "regexp", "search", "search_term", "keyword", "keywords", "glob_pattern", "expression"],
  ["glob", "include", "include_pattern", "file_pattern", "file_glob", "includes"],
  ["content", "contents", "text", "file_text", "data", "body", "new_content"],
  ["old_string", "old_str", "old_text", "old", "search", "find", "from"],
  ["new_string", "new_str", "new_text", "new", "replace", "replacement", "to"],
  ["replace_all", "all", "global", "replace_every"],
  ["offset", "start_line", "line_start", "start", "from_line", "line_offset", "skip", "page"],
  ["limit", "max_results", "max_count", "num_results", "count", "max", "max_lines", "num_lines", "head_limit", "lines"],
  ["context", "context_lines", "-C", "lines_around", "-A", "-B", "before", "after"],
  ["-i", "ignore_case", "case_insensitive", "case_sensitive", "insensitive"],
  ["url", "uri", "link", "address", "urls"],
  ["todos", "items", "tasks", "list", "todo_list"],
  ["questions", "question", "prompt", "ask"],
  ["name", "skill", "skill_name", "skillName"],
  ["code", "source", "program", "snippet", "command"],
  ["message", "text", "content", "input"],
  ["diff", "patch", "input"],
]
