import type { SettingValue } from "@haft/contract"
import { hideSecrets } from "./hide-secrets.js"
import type { Configuration } from "./load-configuration.js"
import { settings } from "./setting.js"

/** What is known about this session's configuration. */
export interface ReadableRequest {
  readonly configuration: Configuration
  readonly roots: readonly string[]
  /** Values that were set since the files were read. */
  readonly changed: ReadonlyMap<string, unknown>
}

/** Every setting by key without secrets: single ones, groups such as `webSearch`, and what is no setting but decides too. */
export function readableSettings({
  configuration,
  roots,
  changed,
}: ReadableRequest): ReadonlyMap<string, SettingValue> {
  const values = new Map([...configuration.values, ...changed])
  const readable = new Map<string, SettingValue>()
  for (const { key } of settings) {
    if (key.endsWith(".*")) readable.set(key.slice(0, -2), members(values, key.slice(0, -1)))
    else readable.set(key, shown(key, values.get(key)))
    for (const group of groupsOf(key)) readable.set(group, members(values, `${group}.`))
  }
  for (const [key, value] of values) readable.set(key, shown(key, value))
  readable.set("rules", configuration.rules.map(ruleText))
  readable.set("roots", [...roots])
  readable.set("trust", Object.fromEntries(configuration.folders.map(({ root, trust }) => [root, trust])))
  return readable
}

/** `a` and `a.b` for the key `a.b.c`. */
function groupsOf(key: string): readonly string[] {
  const parts = key.split(".").slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join("."))
}

function members(values: ReadonlyMap<string, unknown>, prefix: string): SettingValue {
  const found = [...values].filter(([key]) => key.startsWith(prefix))
  return Object.fromEntries(found.map(([key, value]) => [key.slice(prefix.length), shown(key, value)]))
}

function shown(key: string, value: unknown): SettingValue {
  return value === undefined ? null : (hideSecrets(value, key) as SettingValue)
}

function ruleText({ action, permission, pattern, source }: Configuration["rules"][number]): string {
  return `${action} ${permission}${pattern === undefined ? "" : `(${pattern})`} [${source.scope}]`
}
