import { parseRule } from "@haft/guard"
import type { AgentManifest } from "@haft/project"
import { createRegistry } from "@haft/runtime"
import type { AgentEntry } from "./agent-entry.js"
import type { ChildRequest } from "./agents.js"
import type { SessionSetting } from "./open-session.js"
import { withModel } from "./with-model.js"

/** The parent's tools that the manifest names, the parent's rules and those of the manifest: never more than the parent has. */
export function childRequest(
  parent: AgentEntry,
  manifest: AgentManifest,
  callId: string,
): { readonly request: ChildRequest; readonly missing: readonly string[] } {
  const { inner } = parent.opened
  const has = (id: string) => inner.registry.find(id) !== undefined
  const tools = inner.registry.tools.filter(({ manifest: { id } }) => manifest.tools?.includes(id) ?? true)
  const { session: _, instructions: __, ...inherited } = parent.options
  const model = maySayModel(manifest, parent.setting) ? manifest.model : undefined
  const options = model === undefined ? { ...inherited, model: parent.model } : withModel(inherited, model)
  const request: ChildRequest = {
    setting: childSetting(parent, manifest, createRegistry(tools)),
    options: { ...options, instructions: manifest.prompt },
    depth: parent.depth + 1,
    record: {
      id: `ses_${callId.slice("call_".length)}`,
      agent: manifest.name,
      parentId: parent.agent.id,
      permissions: inner.savedRules,
      metadata: { parent: parent.agent.id, call: callId, depth: parent.depth + 1, agent: manifest.name },
    },
  }
  // The agents of Haft name what they could use; somebody else's name what they need.
  const missing = manifest.source === "bundled" ? [] : (manifest.tools ?? []).filter((id) => !has(id))
  return { request, missing }
}

/** A project chooses the model, and with it who gets the conversation and what it costs, where a person trusts it. */
export function maySayModel({ source }: AgentManifest, { options }: SessionSetting): boolean {
  return source !== "project" || options.workspace?.trusted === true
}

function childSetting(
  { setting, opened }: AgentEntry,
  { deny = [] }: AgentManifest,
  registry: SessionSetting["registry"],
): SessionSetting {
  const { guard = {} } = setting.options
  const rules = [...(guard.manifest?.rules ?? []), ...deny.map((text) => parseRule(text, "deny"))]
  return {
    ...setting,
    registry,
    program: { ...setting.program, only: registry.tools.map(({ manifest: { id } }) => id) },
    options: {
      ...setting.options,
      mode: opened.inner.mode,
      guard: { ...guard, manifest: { ...guard.manifest, rules } },
    },
  }
}
