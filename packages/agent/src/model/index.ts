export { type ModelClock, machineClock } from "./clock.js"
export {
  contextTokensOf,
  countsNothing,
  type ModelPrice,
  type PriceOptions,
  type PriceTable,
  priceUsage,
  type Rate,
} from "./cost.js"
export { ModelError, type ModelFailure, type ModelFailureKind } from "./model-error.js"
export { type ModelProvider, modelProviders, type OpenModelOptions, openModel } from "./open-model.js"
export { cacheKey } from "./prompt-cache.js"
export { type RecordScriptOptions, recordedModel, ScriptRecorder } from "./record-script.js"
export {
  type ModelReply,
  type ProviderMetadata,
  type ReplyCall,
  type ReplyChunk,
  type ReplyPart,
  replyCalls,
  replyMessage,
  replyText,
} from "./reply.js"
export { type ReplyRetry, type RetryOptions, retryReply } from "./retry-model.js"
export { schemaVariantOf } from "./schema-variant.js"
export { askingAgent, openScript, ScriptModel } from "./script-model.js"
export { type ReplyLimits, type StreamReplyOptions, streamReply } from "./stream-reply.js"
