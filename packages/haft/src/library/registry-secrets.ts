import type { PrivateRegistry } from "@haft/host"

/** The secrets of registries, which must never be written down. One that cannot be found now is not used either. */
export function registrySecrets(
  registries: readonly PrivateRegistry[] = [],
): readonly { readonly name: string; readonly value: string }[] {
  return registries.flatMap(({ name, secret }) => {
    try {
      return [{ name: `registry ${name}`, value: secret() }]
    } catch {
      return []
    }
  })
}
