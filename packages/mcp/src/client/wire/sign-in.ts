import { randomBytes } from "node:crypto"
import { ToolError } from "@haft/contract"
import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client"
import type { AddressEntry } from "../entry/server-entry.js"
import type { Browser, SavedSignIn, SignInStore } from "./open-request.js"

/** The client side of OAuth 2.1: authorization code with PKCE, tokens that are refreshed, and kept for one origin alone. */
export class SignIn implements OAuthClientProvider {
  /** The answer of the authorization server, once a person has signed in. */
  answer: URLSearchParams | undefined
  private readonly origin: string
  private verifier = ""
  private discovery: OAuthDiscoveryState | undefined
  private lastState = ""

  constructor(
    private readonly entry: AddressEntry,
    private readonly store: SignInStore,
    private readonly browser: Browser | undefined,
  ) {
    this.origin = new URL(entry.url).origin
  }

  get redirectUrl(): string {
    // Without a person nobody comes back; the address is only asked for.
    return this.browser?.redirectUrl ?? "http://127.0.0.1/callback"
  }

  get clientMetadata(): OAuthClientMetadata {
    const { clientSecret, scope } = this.entry.oauth
    return {
      client_name: "Haft",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: clientSecret === undefined ? "none" : "client_secret_post",
      ...(scope !== undefined && { scope }),
    }
  }

  state(): string {
    this.lastState = randomBytes(24).toString("base64url")
    return this.lastState
  }

  async clientInformation(): Promise<StoredOAuthClientInformation | undefined> {
    const { clientId, clientSecret } = this.entry.oauth
    if (clientId !== undefined) return { client_id: clientId, ...(clientSecret && { client_secret: clientSecret }) }
    const client = (await this.saved()).client as StoredOAuthClientInformation | undefined
    // A client is registered for a person who signs in, and not for a call that nobody watches.
    if (client === undefined && !this.browser) throw signInNeeded(this.entry.name)
    // Each sign-in listens at a port of its own, and servers compare the whole address.
    const redirects = (client as { redirect_uris?: readonly string[] } | undefined)?.redirect_uris
    return this.browser && redirects && !redirects.includes(this.redirectUrl) ? undefined : client
  }

  async saveClientInformation(client: StoredOAuthClientInformation): Promise<void> {
    await this.keep({ client })
  }

  async tokens(): Promise<StoredOAuthTokens | undefined> {
    return (await this.saved()).tokens as StoredOAuthTokens | undefined
  }

  async saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    await this.keep({ tokens })
  }

  async redirectToAuthorization(address: URL): Promise<void> {
    if (!this.browser) throw signInNeeded(this.entry.name)
    this.answer = await this.browser.authorize(address, this.lastState)
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier
  }

  codeVerifier(): string {
    return this.verifier
  }

  saveDiscoveryState(discovery: OAuthDiscoveryState): void {
    this.discovery = discovery
  }

  /** The authorization server that the sign-in began with: a code of another one is not taken. */
  discoveryState(): OAuthDiscoveryState | undefined {
    return this.discovery
  }

  async invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): Promise<void> {
    if (scope === "all" || scope === "discovery") this.discovery = undefined
    const { client, tokens } = await this.saved()
    const keepsClient = scope !== "all" && scope !== "client" && client !== undefined
    const keepsTokens = scope !== "all" && scope !== "tokens" && tokens !== undefined
    await this.store.save(this.entry.name, {
      origin: this.origin,
      ...(keepsClient && { client }),
      ...(keepsTokens && { tokens }),
    })
  }

  private async saved(): Promise<SavedSignIn> {
    const saved = await this.store.load(this.entry.name)
    return saved?.origin === this.origin ? saved : { origin: this.origin }
  }

  private async keep(part: Partial<SavedSignIn>): Promise<void> {
    await this.store.save(this.entry.name, { ...(await this.saved()), ...part, origin: this.origin })
  }
}

/** The error of a call that would need a person to sign in. */
export function signInNeeded(name: string): ToolError {
  return new ToolError("not_configured", `Cannot use the MCP server "${name}": it wants somebody to sign in`, {
    hint: "Go on without this server, and tell the user that a sign-in is needed",
    fix: `Sign in with: haft mcp trust ${name}`,
  })
}
