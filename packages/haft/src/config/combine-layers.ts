import type { PlacedRule } from "@haft/contract"
import { entryHash } from "../trust/entry-hash.js"
import type { ConfigEntry } from "./config-file.js"
import type { Layer, Saying } from "./layer.js"
import { type Setting, settingOf, settings } from "./setting.js"
import { SettingValues } from "./setting-values.js"

/** A rule that was read and does not count, with the reason. */
export interface IgnoredRule {
  readonly rule: PlacedRule
  readonly reason: string
}

/** What all sources together say. */
export interface Combined {
  readonly values: SettingValues
  /** Everything that was said about a key, weakest source first. */
  readonly sayings: readonly Saying[]
  readonly rules: readonly PlacedRule[]
  readonly ignoredRules: readonly IgnoredRule[]
}

/** Puts sources together, weakest first. What a source may not say is kept apart with the reason. */
export function combineLayers(layers: readonly Layer[], initialOf: (key: string) => unknown = initialValue): Combined {
  const values = new Map<string, unknown>()
  const sayings: Saying[] = []
  const rules: PlacedRule[] = []
  const ignoredRules: IgnoredRule[] = []
  for (const setting of settings) if (setting.initial !== undefined) values.set(setting.key, setting.initial)
  for (const layer of layers) {
    for (const entry of layer.entries) {
      const setting = settingOf(entry.key)!
      const current = values.get(entry.key) ?? initialOf(entry.key)
      const reason = objection(layer, entry, setting, current)
      const source = sourceOf(layer, entry)
      const { key, value } = entry
      sayings.push({ key, value, source, layer: layer.name, taken: !reason, reason })
      if (!reason) values.set(entry.key, setting.adds ? added(current, entry.value) : entry.value)
    }
    for (const rule of layer.rules) {
      const reason = ruleObjection(layer, rule)
      if (reason) ignoredRules.push({ rule, reason })
      else rules.push(atItsRank(layer, rule))
    }
  }
  return { values: new SettingValues(values), sayings, rules, ignoredRules }
}

/** What held for a key where another one was said: in that layer, or in a weaker one. */
export function valueBeside(sayings: readonly Saying[], key: string, said: string): unknown {
  const layer = sayings.findLast((saying) => saying.taken && saying.key === said)?.layer
  const until = sayings.findLastIndex((saying) => saying.layer === layer)
  return sayings.slice(0, until + 1).findLast((saying) => saying.taken && saying.key === key)?.value
}

/** How messages call the place of an entry: file and line, a variable or a flag. */
export function sourceOf({ name }: Layer, { line }: ConfigEntry): string {
  return line > 0 ? `${name}:${line}` : name
}

/** Hash of a rule for trust; its place in the file does not matter. */
export function ruleHash(layer: Layer, rule: PlacedRule): string {
  const { source: _, ...meaning } = rule
  return entryHash(layer.scope, "rules", meaning)
}

function initialValue(key: string): unknown {
  return settingOf(key)?.initial
}

/** Why a layer may not set a key to this value, or undefined when it may. */
function objection(layer: Layer, entry: ConfigEntry, setting: Setting, current: unknown): string | undefined {
  if (layer.scope === "user" || layer.scope === "flag") return undefined
  if (setting.from === "anyone") return undefined
  if (setting.tightens?.(entry.value, current)) return undefined
  switch (layer.scope) {
    case "environment":
      return "environment variables may only tighten; use a flag or your own configuration"
    case "managed":
      return "managed settings may only tighten"
    case "answers":
      return "a file of answers holds rules only"
  }
  if (setting.from === "user") return "reserved for your own configuration"
  if (layer.trusted?.has(entryHash(layer.scope, entry.key, entry.value))) return undefined
  return layer.inactive ?? "the folder is not trusted"
}

function ruleObjection(layer: Layer, rule: PlacedRule): string | undefined {
  if (rule.action !== "allow") return undefined
  if (layer.scope === "managed") return "managed rules may only tighten"
  if (layer.scope !== "project" && layer.scope !== "local") return undefined
  return layer.trusted?.has(ruleHash(layer, rule)) ? undefined : (layer.inactive ?? "the folder is not trusted")
}

/** An ask that nobody trusts must not soften a deny, however specific it is; below every authority it cannot. */
function atItsRank(layer: Layer, rule: PlacedRule): PlacedRule {
  const ofProject = layer.scope === "project" || layer.scope === "local"
  if (!ofProject || rule.action !== "ask" || layer.trusted?.has(ruleHash(layer, rule))) return rule
  return { ...rule, authority: -1 }
}

function added(current: unknown, next: unknown): unknown {
  return [...new Set([current ?? [], next].flat())]
}
