import type { PrivateRegistry } from "@haft/host"

/** Registries whose secrets were looked for once, and what was found. */
export interface FixedRegistries {
  readonly registries: readonly PrivateRegistry[]
  /** What must never be written down. */
  readonly secrets: readonly { readonly name: string; readonly value: string }[]
}

/**
 * Looks for the secrets of registries once. The journal blanks out what was found, so nothing that is found later may be
 * used: a secret that was exchanged meanwhile would be written down as any other word.
 */
export function withFixedSecrets(given: readonly PrivateRegistry[] = []): FixedRegistries {
  const found = given.map((registry) => ({ registry, look: lookOnce(registry) }))
  return {
    registries: found.map(({ registry, look }) => ({ ...registry, secret: look.secret })),
    secrets: found.flatMap(({ registry, look }) =>
      look.value === undefined ? [] : [{ name: `registry ${registry.name}`, value: look.value }],
    ),
  }
}

function lookOnce({ secret }: PrivateRegistry): { readonly value?: string; secret(): string } {
  try {
    const value = secret()
    return { value, secret: () => value }
  } catch (error) {
    return {
      secret() {
        throw error
      },
    }
  }
}
