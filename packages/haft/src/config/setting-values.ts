import type { SettingGroup, SettingKey, ValueOfMember, ValueOfSetting } from "./setting.js"

/** The values that hold, by key. Every source checks its values against the table, so their types are those of its rows. */
export class SettingValues implements Iterable<readonly [string, unknown]> {
  private readonly values: ReadonlyMap<string, unknown>

  constructor(values: ReadonlyMap<string, unknown>) {
    this.values = values
  }

  get<Key extends SettingKey>(key: Key): ValueOfSetting<Key> {
    return this.values.get(key) as ValueOfSetting<Key>
  }

  /** The members of a group, by the last part of their keys. */
  members<Group extends SettingGroup>(group: Group): readonly (readonly [string, ValueOfMember<Group>])[] {
    const prefix = `${group}.`
    return [...this.values].flatMap(([key, value]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), value as ValueOfMember<Group>] as const] : [],
    )
  }

  /** The value of a key that a person typed. */
  find(key: string): unknown {
    return this.values.get(key)
  }

  [Symbol.iterator](): Iterator<readonly [string, unknown]> {
    return this.values[Symbol.iterator]()
  }
}
