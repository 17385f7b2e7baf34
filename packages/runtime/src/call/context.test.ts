import type { ObservedEffect, RequirementSet, ToolDefinition } from "@haft/contract"
import { expect, test } from "vitest"
import { callWorld } from "../../test/call-world.js"
import { CallSignal } from "./call-signal.js"
import { type ContextRequest, createContext, Scope } from "./context.js"

function contextFor(requires: RequirementSet) {
  const world = callWorld()
  const { tool } = world.request()
  const request: ContextRequest = {
    tool: { ...tool, manifest: { ...tool.manifest, requires } } as ToolDefinition,
    session: world.session,
    person: world.session.person,
    callId: "call_9",
    grant: { admits: () => true } as never,
    signal: new CallSignal(undefined),
    sideOutputs: { attachments: [], effects: [], ended: false, state: undefined, usage: undefined, sidecar: undefined },
  }
  const scope = new Scope(request)
  return { ...world, request, scope, context: createContext(request, scope) as unknown as Record<string, unknown> }
}

test("a port that the manifest does not require is absent", () => {
  const { context } = contextFor({})
  for (const port of ["files", "search", "network", "commands", "jobs", "repl", "box", "languages", "clipboard"])
    expect(context).not.toHaveProperty(port)
})

test("who only reads gets no way to write, and who only writes none to read", () => {
  const reader = contextFor({ fs: { read: ["{workspace}"] } }).context
  expect(Object.keys(reader.files as object)).toEqual(["open", "readAll", "stat", "list", "locate", "display"])
  expect(reader).toHaveProperty("search")
  const writer = contextFor({ fs: { write: ["{workspace}"] } }).context
  expect(Object.keys(writer.files as object)).toEqual(["write", "update", "remove", "move"])
  expect(writer).not.toHaveProperty("search")
})

test("what a call leaves beside its output goes to its side outputs", () => {
  const { context, request } = contextFor({})
  const { attach, setState, setSidecar } = context as Record<string, (value: unknown) => void>
  attach!({ mediaType: "image/png", data: "" })
  setState!({ hunks: 1 })
  setSidecar!("/out")
  expect(request.sideOutputs).toMatchObject({
    attachments: [{ mediaType: "image/png" }],
    state: { hunks: 1 },
    sidecar: "/out",
  })
})

test("an effect that is observed after the end of the call is not added to its record", () => {
  const { request, scope } = contextFor({})
  const effect = (path: string) => ({ kind: "fs.write", path }) as ObservedEffect
  scope.observe(effect("/a"))
  request.sideOutputs.ended = true
  scope.observe(effect("/b"))
  expect(request.sideOutputs.effects).toEqual([effect("/a")])
})

test("the scope and the context have the one signal of the call", () => {
  const { context, scope, request } = contextFor({})
  const reason = new Error("stop")
  request.signal.abort(reason as never)
  expect(scope.aborted).toBe(true)
  expect((context.signal as AbortSignal).reason).toBe(reason)
  expect(scope.signal).toBe(context.signal)
})
