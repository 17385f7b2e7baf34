/** Variables that say where a toolchain or a list of certificates is; taken over when the command can see that place. */
export const placeNames: readonly string[] = [
  "RUSTUP_HOME",
  "PYENV_ROOT",
  "NVM_DIR",
  "VOLTA_HOME",
  "ASDF_DIR",
  "ASDF_DATA_DIR",
  "SDKMAN_DIR",
  "JAVA_HOME",
  "GOROOT",
  "DOTNET_ROOT",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
  "REQUESTS_CA_BUNDLE",
  "CURL_CA_BUNDLE",
  "GIT_SSL_CAINFO",
  "PIP_CERT",
]

/** The named variables of the caller that exist and fit. */
export function taken(
  names: readonly string[],
  from: NodeJS.ProcessEnv,
  fits: (value: string) => boolean,
): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of names) {
    const value = from[name]
    if (value !== undefined && fits(value)) found[name] = value
  }
  return found
}
