/** The value that the content security policy of this response allows style elements with. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? ""
}

/**
 * Prepares the page for its own policy. Components write their style sheets as text through a sink for markup: what has
 * no `<` can only be text, and everything else is refused.
 */
export function preparePolicies(): void {
  const { trustedTypes } = window as unknown as { trustedTypes?: TrustedTypes }
  trustedTypes?.createPolicy("default", { createHTML: (text) => (text.includes("<") ? null : text) })
  // The first is read by the library that keeps the page still behind a dialog; the second keeps schemas from trying `eval`.
  Object.assign(window, { __webpack_nonce__: styleNonce(), __zod_globalConfig: { jitless: true } })
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML: (text: string) => string | null }): unknown
}
