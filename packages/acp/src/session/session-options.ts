import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk/unstable"
import { type Mode, ToolError } from "@haft/contract"
import type { EditorSession } from "../editor-host.js"

const modes: readonly { readonly id: Mode; readonly name: string; readonly description: string }[] = [
  { id: "ask", name: "Ask", description: "Ask before what no rule settles" },
  { id: "plan", name: "Plan", description: "Read and plan; change nothing but the plan" },
  { id: "accept-edits", name: "Accept edits", description: "Edit files of the project without asking" },
  { id: "auto", name: "Auto", description: "Allow what stays inside the project and a full sandbox" },
]

/** Modes, and the same with the model as options: editors know one or the other. */
export function sessionState(session: EditorSession): {
  readonly modes: SessionModeState
  readonly configOptions: SessionConfigOption[]
} {
  const { mode } = session.agent.session
  return {
    modes: { currentModeId: mode, availableModes: modes.map((each) => ({ ...each })) },
    configOptions: [
      {
        type: "select",
        id: "mode",
        name: "Mode",
        category: "mode",
        currentValue: mode,
        options: modes.map(({ id, name, description }) => ({ value: id, name, description })),
      },
      {
        type: "select",
        id: "model",
        name: "Model",
        category: "model",
        currentValue: session.model,
        options: session.models.map((model) => ({ value: model, name: model })),
      },
    ],
  }
}

/** The mode of that name. */
export function modeNamed(name: string): Mode {
  const found = modes.find(({ id }) => id === name)
  if (found) return found.id
  throw new ToolError("invalid_args", `Cannot use mode "${name}": there is no such mode`, {
    hint: `Use one of ${modes.map(({ id }) => id).join(", ")}`,
  })
}
