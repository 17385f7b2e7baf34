export { checkTool, type ToolCheckOptions } from "./check-tool.js"
export { type FakeClock, fakeClock } from "./fake-clock.js"
export { type FakeConversation, type FakeConversationOptions, fakeConversation } from "./fake-conversation.js"
export { type MemoryJournal, memoryJournal } from "./memory-journal.js"
export { checkPoints } from "./points/check-points.js"
export type { PointOptions, PointResult, ToolPackage } from "./points/point.js"
export {
  type ProviderApi,
  type ProviderRequest,
  type ProviderServer,
  type ProviderServerOptions,
  startProviderServer,
} from "./provider-server/provider-server.js"
export type { ProviderFault, ScriptedCall, ScriptedReply } from "./provider-server/wire-api.js"
export { type ExampleEnd, type OpenedContext, runExample } from "./run-example.js"
export { type PersonScript, type ScriptedPerson, scriptedPerson } from "./scripted-person.js"
export { type StaticExecutor, type StaticHandler, staticExecutor } from "./static-executor.js"
export { type TemporaryWorkspace, temporaryWorkspace } from "./temporary-workspace.js"
export { fakeMemory, fakeSkills, openGrant, type TestCall, type TestCallOptions, testCall } from "./test-call.js"
