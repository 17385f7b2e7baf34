// Names that people give to variables with secrets in them.
const secretName = /(KEY|TOKEN|SECRET|PASSW|CREDENTIAL)/i

// Shorter values are words like "true" that stand in every text.
const shortest = 8

/** The values of environment variables that must never be written down. */
export function environmentSecrets(
  environment: Readonly<Record<string, string | undefined>>,
): readonly { readonly name: string; readonly value: string }[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && value.length >= shortest && secretName.test(name) && !value.startsWith("/")
      ? [{ name, value }]
      : [],
  )
}
