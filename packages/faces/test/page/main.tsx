import type { AskRequest, CallView, Ladder } from "@haft/contract"
import { loadTool } from "@haft/tools"
import { createRoot } from "react-dom/client"
import { CallCard, type FaceTool, loadFaceTool, unknownTool } from "../../src/index.js"

declare global {
  interface Window {
    /** Draws a call of a tool; what a person answers is kept in `answers`. */
    show: (tool: string, call: Partial<CallView>) => Promise<void>
    answers: unknown[]
    violations: string[]
    ladder: Ladder
  }
}

window.answers = []
window.violations = []
document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
  window.violations.push(`${violatedDirective} ${blockedURI}`),
)

const root = createRoot(document.getElementById("root")!)
const ladder: Ladder = { verdict: "ask", reason: "no rule settles this", rungs: [], findings: [] }

window.show = async (id, call) => {
  const tool = id === "broken" ? broken : await faceTool(id)
  const request = call.phase === "awaiting-approval" && !call.questions && requestOf(id, call)
  const whole = { id: "call_1", tool: id, phase: "ok", ...call, ...(request && { request }) } as CallView
  const keep = (answer: unknown) => void window.answers.push(answer)
  root.render(<CallCard key={crypto.randomUUID()} call={whole} tool={tool} onAnswer={keep} onInteraction={keep} />)
}

async function faceTool(id: string): Promise<FaceTool> {
  const definition = await loadTool(id)
  return definition ? loadFaceTool(definition) : unknownTool(id)
}

function requestOf(tool: string, call: Partial<CallView>): AskRequest {
  const { preview } = (call.request ?? {}) as Partial<AskRequest>
  return {
    ...{ sessionId: "ses_1", callId: "call_1", tool, title: tool, directory: "/work", ladder },
    arguments: call.arguments as Record<string, unknown>,
    offers: ["once", "session", "project", "reject", "edit"],
    ...(preview && { preview }),
  }
}

// The face of a tool that somebody else wrote.
const broken: FaceTool = {
  ...unknownTool("broken"),
  faces: {
    Render: () => {
      throw new Error("this face has a defect")
    },
  },
}
