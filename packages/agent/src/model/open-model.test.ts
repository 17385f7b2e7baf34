import { expect, test } from "vitest"
import { openModel } from "./open-model.js"

// biome-ignore format: one line for each
test.each<[string, Record<string, string>, string | undefined, string, string, string]>([
  ["gpt-5", {}, undefined, "invalid_args", 'Cannot use the model "gpt-5": it names no provider', "Write PROVIDER:NAME with one of anthropic, openai, google, ollama, openai-compatible, or script:FILE"],
  ["opneai:gpt-5", {}, undefined, "invalid_args", 'Cannot use the model "opneai:gpt-5": there is no such provider', "Write PROVIDER:NAME with one of anthropic, openai, google, ollama, openai-compatible, or script:FILE"],
  ["", {}, undefined, "invalid_args", 'Cannot use the model "": it names no provider', "Write PROVIDER:NAME with one of anthropic, openai, google, ollama, openai-compatible, or script:FILE"],
  ["openai:", {}, undefined, "invalid_args", 'Cannot use the model "openai:": the name of the model is empty or has blanks', 'Write the provider\'s name of the model after "openai:"'],
  ["google:../x y", {}, undefined, "invalid_args", 'Cannot use the model "google:../x y": the name of the model is empty or has blanks', 'Write the provider\'s name of the model after "google:"'],
  ["script:", {}, undefined, "invalid_args", 'Cannot use the model "script:": there is no such provider', "Write PROVIDER:NAME with one of anthropic, openai, google, ollama, openai-compatible, or script:FILE"],
  ["anthropic:claude-x", {}, undefined, "not_configured", 'Cannot use "anthropic:claude-x": the environment variable ANTHROPIC_API_KEY is not set', "Set ANTHROPIC_API_KEY to your key, or choose another model with --model"],
  ["openai:gpt-5", { OPENAI_API_KEY: " " }, undefined, "not_configured", 'Cannot use "openai:gpt-5": the environment variable OPENAI_API_KEY is not set', "Set OPENAI_API_KEY to your key, or choose another model with --model"],
  ["google:gemini-3", { OPENAI_API_KEY: "k" }, undefined, "not_configured", 'Cannot use "google:gemini-3": the environment variable GOOGLE_GENERATIVE_AI_API_KEY is not set', "Set GOOGLE_GENERATIVE_AI_API_KEY (or GEMINI_API_KEY or GOOGLE_API_KEY) to your key, or choose another model with --model"],
  ["openai-compatible:m", {}, undefined, "not_configured", 'Cannot use "openai-compatible:m": it has no address', 'Give the address with --base-url or "baseUrl" in the configuration, for instance http://127.0.0.1:8000/v1'],
  ["ollama:m", {}, "ftp://host/v1", "invalid_args", 'Cannot reach a model at "ftp://host/v1": only http and https addresses are allowed', "Give a base URL like https://host/v1"],
  ["openai-compatible:m", {}, "http://me:hunter2@host/v1", "invalid_args", 'Cannot reach a model at "host": the address holds credentials', "Put the key into the provider's environment variable"],
])("%s with %j and %s is refused with a next step", async (reference, env, baseUrl, code, message, hint) => {
  await expect(openModel(reference, { env, baseUrl })).rejects.toMatchObject({ code, message, hint })
})

test.each([
  ["anthropic:c", "ANTHROPIC_API_KEY"],
  ["anthropic:c", "ANTHROPIC_AUTH_TOKEN"],
  ["openai:gpt-5", "OPENAI_API_KEY"],
  ["google:gemini-3", "GOOGLE_API_KEY"],
  ["openai-compatible:m", "OPENAI_COMPATIBLE_API_KEY"],
])("%s: a key in %s that no header can carry is refused, and not quoted", async (reference, variable) => {
  for (const key of ["secret1\nsecret2", "\u201csecret1\u201d", "secret1 secret2"]) {
    const opened = openModel(reference, { env: { [variable]: key }, baseUrl: "http://127.0.0.1:1/v1" })
    const message = expect.stringMatching(new RegExp(`^Cannot use the key in ${variable}: (?!.*secret)`))
    await expect(opened).rejects.toMatchObject({ code: "not_configured", message })
  }
})

/** Where a request of a model goes and which headers it has. */
async function requestOf(reference: string, env: Record<string, string>, baseUrl?: string) {
  const sent: { url: string; headers: Headers }[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    sent.push({ url: String(input), headers: new Headers(init?.headers) })
    throw new Error("no network in this test")
  }
  const model = await openModel(reference, { env, baseUrl, fetch })
  await Promise.resolve(model.doStream({ prompt: [{ role: "user", content: [{ type: "text", text: "a" }] }] })).catch(
    () => {},
  )
  const [request] = sent
  const key = ["x-api-key", "authorization", "x-goog-api-key"].map((name) => request?.headers.get(name)).find(Boolean)
  return { url: request?.url, key }
}

// biome-ignore format: one line for each
test.each<[string, Record<string, string>, string | undefined, string, string | undefined]>([
  ["anthropic:c", { ANTHROPIC_API_KEY: "k1" }, undefined, "https://api.anthropic.com/v1/messages", "k1"],
  ["anthropic:c", { ANTHROPIC_AUTH_TOKEN: "k1", ANTHROPIC_BASE_URL: "https://gate/v1/" }, undefined, "https://gate/v1/messages", "Bearer k1"],
  ["openai:gpt-5", { OPENAI_API_KEY: "k2" }, undefined, "https://api.openai.com/v1/responses", "Bearer k2"],
  ["openai:gpt-5", { OPENAI_API_KEY: "k2", OPENAI_BASE_URL: "https://a/v1" }, "https://b/v1", "https://b/v1/responses", "Bearer k2"],
  ["google:gemini-3", { GEMINI_API_KEY: "k3" }, undefined, "https://generativelanguage.googleapis.com/v1beta/models/gemini-3:streamGenerateContent?alt=sse", "k3"],
  ["ollama:qwen3:8b", {}, undefined, "http://127.0.0.1:11434/v1/chat/completions", undefined],
  ["ollama:qwen3:8b", { OLLAMA_HOST: "0.0.0.0" }, undefined, "http://127.0.0.1:11434/v1/chat/completions", undefined],
  ["ollama:qwen3:8b", { OLLAMA_HOST: "https://box.example:9000" }, undefined, "https://box.example:9000/v1/chat/completions", undefined],
  ["openai-compatible:m", { OPENAI_API_KEY: "not for strangers" }, "http://127.0.0.1:1/v1", "http://127.0.0.1:1/v1/chat/completions", undefined],
  ["openai-compatible:m", { OPENAI_COMPATIBLE_API_KEY: "k4" }, "http://127.0.0.1:1/v1", "http://127.0.0.1:1/v1/chat/completions", "Bearer k4"],
])("%s with %j and %s goes to the right place with the right key", async (reference, env, baseUrl, url, key) => {
  expect(await requestOf(reference, env, baseUrl)).toEqual({ url, key })
})
