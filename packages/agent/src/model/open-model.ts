import type { LanguageModelV3, LanguageModelV3CallOptions, SharedV3ProviderOptions } from "@ai-sdk/provider"
import { ToolError } from "@haft/contract"
import { keepKeySecret } from "./model-error.js"
import { openScript } from "./script-model.js"

/** Where a model is reached and with which keys. */
export interface OpenModelOptions {
  /** Replaces the provider's own address; `openai-compatible` has none of its own. */
  readonly baseUrl?: string | undefined
  /** The environment that keys are read from; nothing else of the process is looked at. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Replaces the global fetch, for proxies and tests. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** The providers that `PROVIDER:NAME` may name, beside `script`. */
export const modelProviders = ["anthropic", "openai", "google", "ollama", "openai-compatible"] as const

/** A provider that `PROVIDER:NAME` may name. */
export type ModelProvider = (typeof modelProviders)[number]

/**
 * Opens `PROVIDER:NAME` or `script:FILE`. The provider's package is loaded at the first use of that provider.
 * Throws `invalid_args` for a name that cannot be one and `not_configured` for a missing key or address; asks no server.
 */
export async function openModel(reference: string, options: OpenModelOptions): Promise<LanguageModelV3> {
  if (reference.startsWith("script:") && reference.length > "script:".length)
    return openScript(reference.slice("script:".length))
  const { provider, name } = parseModelReference(reference)
  return openers[provider](name, options)
}

/** Splits `PROVIDER:NAME`; a name may itself hold colons (`ollama:qwen3:8b`). */
function parseModelReference(reference: string): { readonly provider: ModelProvider; readonly name: string } {
  const colon = reference.indexOf(":")
  const provider = modelProviders.find((each) => each === reference.slice(0, Math.max(colon, 0)))
  if (provider === undefined) {
    const reason = colon < 0 ? "it names no provider" : "there is no such provider"
    throw invalidReference(
      reference,
      reason,
      `Write PROVIDER:NAME with one of ${modelProviders.join(", ")}, or script:FILE`,
    )
  }
  const name = reference.slice(colon + 1)
  // A control character or a blank would travel in a URL (google) or a header line.
  if (name === "" || /[\s\p{Cc}]/u.test(name))
    throw invalidReference(
      reference,
      "the name of the model is empty or has blanks",
      `Write the provider's name of the model after "${provider}:"`,
    )
  return { provider, name }
}

type Opener = (name: string, options: OpenModelOptions) => Promise<LanguageModelV3>

const openers: Readonly<Record<ModelProvider, Opener>> = {
  async anthropic(name, options) {
    const { createAnthropic } = await import("@ai-sdk/anthropic")
    const apiKey = keyIn(options, "ANTHROPIC_API_KEY")
    // A gateway's token is sent as a bearer token; the package refuses both at once.
    const authToken = apiKey === undefined ? keyIn(options, "ANTHROPIC_AUTH_TOKEN") : undefined
    if (authToken === undefined && apiKey === undefined) throw missingKey(`anthropic:${name}`, ["ANTHROPIC_API_KEY"])
    const baseURL = addressOf(options, "ANTHROPIC_BASE_URL", "https://api.anthropic.com/v1")
    const model = createAnthropic({ ...(authToken ? { authToken } : { apiKey }), baseURL, ...fetchOf(options) })(name)
    return keepKeySecret(model, apiKey ?? authToken)
  },
  async openai(name, options) {
    const { createOpenAI } = await import("@ai-sdk/openai")
    const apiKey = keyOf(`openai:${name}`, options, ["OPENAI_API_KEY"])
    const baseURL = addressOf(options, "OPENAI_BASE_URL", "https://api.openai.com/v1")
    const model = createOpenAI({ apiKey, baseURL, ...fetchOf(options) })(name)
    // Nothing is kept at the provider: reasoning comes back encrypted and travels with the history, so that a turn does not
    // depend on what a server still has.
    return keepKeySecret(withDefaults(model, { openai: { store: false } }), apiKey)
  },
  async google(name, options) {
    const { createGoogleGenerativeAI } = await import("@ai-sdk/google")
    const variables = ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"]
    const apiKey = keyOf(`google:${name}`, options, variables)
    const baseURL = addressOf(options, undefined, "https://generativelanguage.googleapis.com/v1beta")
    return keepKeySecret(createGoogleGenerativeAI({ apiKey, baseURL, ...fetchOf(options) })(name), apiKey)
  },
  async ollama(name, options) {
    const baseURL = addressOf(options, undefined, ollamaAddress(options.env.OLLAMA_HOST))
    return openCompatible({ provider: "ollama", name, baseURL }, options)
  },
  async "openai-compatible"(name, options) {
    if (!options.baseUrl)
      throw new ToolError("not_configured", `Cannot use "openai-compatible:${name}": it has no address`, {
        hint: 'Give the address with --base-url or "baseUrl" in the configuration, for instance http://127.0.0.1:8000/v1',
      })
    // Not OPENAI_API_KEY: that key would go to whatever server the address names.
    const apiKey = keyIn(options, "OPENAI_COMPATIBLE_API_KEY")
    const baseURL = addressOf(options, undefined, options.baseUrl)
    return openCompatible({ provider: "openai-compatible", name, baseURL, apiKey }, options)
  },
}

interface CompatibleModel {
  readonly provider: string
  readonly name: string
  readonly baseURL: string
  readonly apiKey?: string | undefined
}

async function openCompatible(model: CompatibleModel, options: OpenModelOptions): Promise<LanguageModelV3> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible")
  const { provider, name, baseURL, apiKey } = model
  const key = apiKey === undefined ? {} : { apiKey }
  const open = createOpenAICompatible({ name: provider, baseURL, includeUsage: true, ...key, ...fetchOf(options) })
  return keepKeySecret(open(name), apiKey)
}

/** The model with provider options that hold unless a request gives its own. */
function withDefaults(model: LanguageModelV3, defaults: SharedV3ProviderOptions): LanguageModelV3 {
  const complete = (call: LanguageModelV3CallOptions): LanguageModelV3CallOptions => {
    const providerOptions = { ...call.providerOptions }
    for (const [provider, options] of Object.entries(defaults))
      providerOptions[provider] = { ...options, ...providerOptions[provider] }
    return { ...call, providerOptions }
  }
  return {
    specificationVersion: "v3",
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doStream: (call) => model.doStream(complete(call)),
    doGenerate: (call) => model.doGenerate(complete(call)),
  }
}

function fetchOf({ fetch }: OpenModelOptions): { readonly fetch?: typeof globalThis.fetch } {
  return fetch === undefined ? {} : { fetch }
}

function keyOf(model: string, options: OpenModelOptions, variables: readonly string[]): string {
  for (const variable of variables) {
    const key = keyIn(options, variable)
    if (key) return key
  }
  throw missingKey(model, variables)
}

/** The key in a variable. What no header can carry is refused here: the error of the header would quote it. */
function keyIn({ env }: OpenModelOptions, variable: string): string | undefined {
  const key = env[variable]?.trim()
  if (!key) return undefined
  if (/^[!-~]+$/.test(key)) return key
  const message = `Cannot use the key in ${variable}: it has blanks, line breaks or other characters that no key has`
  throw new ToolError("not_configured", message, { hint: `Set ${variable} to the key alone, without quotes` })
}

function missingKey(model: string, [variable, ...others]: readonly string[]): ToolError {
  const also = others.length === 0 ? "" : ` (or ${others.join(" or ")})`
  return new ToolError("not_configured", `Cannot use "${model}": the environment variable ${variable} is not set`, {
    hint: `Set ${variable}${also} to your key, or choose another model with --model`,
  })
}

/** The address that was given, else that of the environment, else the provider's own. Only http and https are addresses. */
function addressOf({ baseUrl, env }: OpenModelOptions, variable: string | undefined, fallback: string): string {
  const address = baseUrl || (variable && env[variable]) || fallback
  const url = URL.canParse(address) ? new URL(address) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ToolError(
      "invalid_args",
      `Cannot reach a model at "${address}": only http and https addresses are allowed`,
      {
        hint: "Give a base URL like https://host/v1",
      },
    )
  // Credentials in an address would end up in error messages, which quote the address.
  if (url.username !== "" || url.password !== "")
    throw new ToolError("invalid_args", `Cannot reach a model at "${url.host}": the address holds credentials`, {
      hint: "Put the key into the provider's environment variable",
    })
  return address.replace(/\/+$/, "")
}

/** OLLAMA_HOST is a host, a host with a port, or an address; `0.0.0.0` means "listen everywhere" and is this machine. */
function ollamaAddress(host: string | undefined): string {
  if (!host?.trim()) return "http://127.0.0.1:11434/v1"
  const trimmed = host.trim().replace(/\/+$/, "")
  const address = trimmed.includes("://") ? trimmed : `http://${trimmed}`
  if (!URL.canParse(address)) return trimmed
  const url = new URL(address)
  const port = url.port || (trimmed.includes("://") ? "" : "11434")
  const name = url.hostname === "0.0.0.0" ? "127.0.0.1" : url.hostname
  return `${url.protocol}//${name}${port === "" ? "" : `:${port}`}/v1`
}

function invalidReference(reference: string, reason: string, hint: string): ToolError {
  return new ToolError("invalid_args", `Cannot use the model "${reference}": ${reason}`, { hint })
}
