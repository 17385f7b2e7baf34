import { type BoundRule, isSameRule, outdatedAnswers, type PlacedRule, ToolError } from "@haft/contract"
import { applyEdits, type JSONPath, modify } from "jsonc-parser"
import type { ConfigScope } from "./config-file.js"
import { parseConfigFile } from "./parse-config-file.js"
import { readTextFile } from "./read-text-file.js"
import { writePrivateFile, writeSharedFile } from "./write-private-file.js"

/** A configuration file that is to be changed; comments and order are kept. */
export interface EditedFile {
  readonly path: string
  readonly scope: ConfigScope
}

/** Sets one value, or removes it when the value is undefined. */
export function setSetting(file: EditedFile, key: string, value: unknown): void {
  edit(file, (text) => change(text, pathOf(key), value))
}

/** The place of a rule in a file, and whether it was written there now. */
export interface KeptRule {
  readonly line: number
  readonly added: boolean
}

/** Adds a rule at the end of the list, unless the file has the same rule already. */
export function addRule(file: EditedFile, rule: BoundRule, folder?: string): KeptRule {
  const existing = rulesOf(file, readTextFile(file.path) ?? "{}").find((other) => isSameRule(other, rule))
  if (existing) return { line: existing.source.line!, added: false }
  const text = edit(file, (before) => {
    const { length } = rulesOf(file, before)
    const named = folder !== undefined && !before.includes('"folder"') ? change(before, ["folder"], folder) : before
    return length === 0 ? change(named, ["rules"], [rule]) : change(named, ["rules", length], rule, true)
  })
  return { line: rulesOf(file, text).at(-1)!.source.line!, added: true }
}

/** Adds what a person answered; of answers for texts of the same command the oldest go. */
export function addAnswer(file: EditedFile, rule: BoundRule, folder?: string): KeptRule {
  const outdated = outdatedAnswers(rulesOf(file, readTextFile(file.path) ?? "{}"), rule)
  removeRules(file, (other) => outdated.some((each) => isSameRule(each, other)))
  return addRule(file, rule, folder)
}

/** Removes the rules for which `matches` holds; returns how many there were. */
export function removeRules(file: EditedFile, matches: (rule: PlacedRule) => boolean): number {
  const before = readTextFile(file.path)
  if (before === undefined) return 0
  const indexes = rulesOf(file, before).flatMap((rule, index) => (matches(rule) ? [index] : []))
  // From the last to the first, so that the earlier indexes stay right.
  if (indexes.length > 0)
    edit(file, (text) => indexes.reverse().reduce((now, index) => change(now, ["rules", index], undefined), text))
  return indexes.length
}

function rulesOf(file: EditedFile, text: string): readonly PlacedRule[] {
  return parseConfigFile(text, { ...file, name: file.path }).rules
}

function edit(file: EditedFile, changeText: (text: string) => string): string {
  const before = readTextFile(file.path) ?? "{\n}\n"
  // A file that does not parse is left as it is: an edit could hide what is wrong with it.
  parseConfigFile(before, { ...file, name: file.path })
  const after = changeText(before)
  parseConfigFile(after, { ...file, name: file.path })
  const write = file.scope === "project" || file.scope === "local" ? writeSharedFile : writePrivateFile
  write(file.path, after)
  return after
}

function change(text: string, path: JSONPath, value: unknown, insert = false): string {
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: text.includes("\r\n") ? "\r\n" : "\n" }
  return applyEdits(text, modify(text, path, value, { formattingOptions, isArrayInsertion: insert }))
}

function pathOf(key: string): JSONPath {
  if (key === "rules" || key.startsWith("rules.")) {
    throw new ToolError("invalid_args", `Cannot set "${key}": rules have their own commands`, {
      hint: "Use: haft rule add",
    })
  }
  // Names in these groups may contain dots themselves.
  const group = ["limits.", "mcpServers.", "net.registries.", "webSearch.endpoints."].find((prefix) =>
    key.startsWith(prefix),
  )
  return group ? [...group.slice(0, -1).split("."), key.slice(group.length)] : key.split(".")
}
