export { type ModelProvider, modelProviders, type OpenModelOptions, openModel } from "./open-model.js"
