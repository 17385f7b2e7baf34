export { checkCapability, matchesShell } from "./capability/check-capability.js"
export type { CapabilityRequest, CapabilityVerdict, PathScope, Scope } from "./capability/scope.js"
export { compileRequirements, unionRequirements } from "./capability/scope.js"
export { analyzeArgv, analyzeBash, analyzePowerShell } from "./command/analyze-bash.js"
export {
  type CommandAnalysis,
  type CommandContext,
  type CommandPartAnalysis,
  type HostName,
  opaquePart,
} from "./command/command-analysis.js"
export {
  commandParts,
  commandsOf,
  type LocatePath,
  type PrintedHistory,
  printedHistory,
} from "./command/command-parts.js"
export { type GitContent, nameInTree } from "./command/program/git/git-content.js"
export {
  isWriteFree,
  type JudgedOutsideWrite,
  outsideWrites,
  protectedWrites,
  repositoryRecords,
  runsUnconfined,
  type SandboxGrants,
  sandboxFor,
} from "./command/sandbox-for.js"
export { readScript, type ScriptPlaces, type ScriptText } from "./command/script/read-script.js"
export { runsKeptText, type Script, scriptOfCommand } from "./command/script/script-of.js"
export { scriptText } from "./command/script/script-text.js"
export { needsWorker } from "./command/shell/walk.js"
export { joinPath } from "./path.js"
export { type RootPlaces, wideRoot } from "./roots/wide-root.js"
export { defaultRules } from "./rules/defaults/default-rules.js"
export { modeRules } from "./rules/defaults/mode-rules.js"
export {
  applyMode,
  deniesFile,
  deniesNoneIn,
  judge,
  judgeFile,
  type ModeInput,
  type ModeOutcome,
  mayKeepCopy,
  stricterJudgement,
} from "./rules/judge.js"
export { compileGlob } from "./rules/pattern/glob.js"
export { hostBundles, machineBundles } from "./rules/pattern/host-bundles.js"
export { normalHost } from "./rules/pattern/host-pattern.js"
export { runsCommands } from "./rules/permission-kind.js"
export { proposeRule } from "./rules/propose.js"
export {
  answerFlag,
  type CompiledRule,
  describeSource,
  flagFor,
  formatRule,
  joinWords,
  parseRule,
  parseWholeRule,
  ruleInside,
} from "./rules/rule.js"
export type { Facts, RuleBook } from "./rules/rule-book.js"
export { compileRule, compileRules, specificity } from "./rules/rule-book.js"
export { coversSample, whyNoAnswer, whyNotSavable } from "./rules/savable.js"
export { type RuleTestResult, testRules } from "./rules/self-test.js"
export { expandHosts, type Variables } from "./variables.js"
export { visible, visibleLine } from "./visible.js"
export { builtinDetectors } from "./watchdog/builtin-detectors.js"
export { codeWords, firstLookalike, hiddenIn, replaceHidden } from "./watchdog/detectors/hidden-characters.js"
export type {
  AgentManifest,
  Detector,
  DetectorVerdict,
  RecentCall,
  TaintedText,
  WatchdogRequest,
} from "./watchdog/run-watchdog.js"
export { runWatchdog, type WatchdogVerdict } from "./watchdog/run-watchdog.js"
