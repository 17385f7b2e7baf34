import type { CompiledRule } from "./compiled-rule.js"

/** Rules by an exact key. */
export class RuleIndex {
  private readonly rules = new Map<string, CompiledRule[]>()

  get size(): number {
    return this.rules.size
  }

  get(key: string): readonly CompiledRule[] | undefined {
    return this.rules.get(key)
  }

  add(key: string, rule: CompiledRule): void {
    const list = this.rules.get(key)
    if (list) list.push(rule)
    else this.rules.set(key, [rule])
  }
}
