export type SettingValue = string | number | boolean | null | readonly unknown[] | { readonly [key: string]: unknown }

/**
 * The configuration as a tool may see it: display settings can be read and set; everything that decides about
 * safety can be read in redacted form and never set.
 */
export interface Settings {
  /** `not_found` with near names for a setting that does not exist. */
  get(setting: string): Promise<SettingValue>
  /** `denied` for a setting that no tool may set, `invalid_args` for a value that does not fit. */
  set(setting: string, value: SettingValue): Promise<{ readonly value: SettingValue; readonly previous: SettingValue }>
}
