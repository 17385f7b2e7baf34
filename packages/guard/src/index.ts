export type { CapabilityRequest, CapabilityVerdict } from "./capability/capability-request.js"
export { checkCapability } from "./capability/check-capability.js"
export { compileRequirements } from "./capability/compile-requirements.js"
export { matchesShell } from "./capability/matches-shell.js"
export type { PathScope, Scope } from "./capability/scope.js"
export { unionRequirements } from "./capability/union-requirements.js"
export { analyzeArgv, analyzeBash } from "./command/analyze-bash.js"
export { analyzePowerShell } from "./command/analyze-power-shell.js"
export {
  type CommandAnalysis,
  type CommandContext,
  type CommandPartAnalysis,
  commandsOf,
  type HostName,
} from "./command/command-analysis.js"
export { commandParts, type LocatePath } from "./command/command-parts.js"
export { isWriteFree } from "./command/is-write-free.js"
export { needsWorker } from "./command/needs-worker.js"
export { type JudgedOutsideWrite, outsideWrites } from "./command/outside-writes.js"
export { type PrintedHistory, printedHistory } from "./command/printed-history.js"
export { type GitContent, nameInTree } from "./command/program/git/git-content.js"
export { type Recipe, recipeOf, recipeOfCommand, runsKeptText } from "./command/recipe/recipe-of.js"
export { type RecipePlaces, type RecipeSource, recipeSource } from "./command/recipe/recipe-source.js"
export { recipeText } from "./command/recipe/recipe-text.js"
export { repositoryRecords } from "./command/repository-records.js"
export { runsUnconfined } from "./command/runs-unconfined.js"
export { protectedWrites, type SandboxGrants, sandboxFor } from "./command/sandbox-for.js"
export { opaquePart } from "./command/shell/walk.js"
export { applyMode, type ModeInput, type ModeOutcome } from "./mode/apply-mode.js"
export { joinPath } from "./path/join-path.js"
export { type RootPlaces, wideRoot } from "./roots/wide-root.js"
export { type CompiledRule, ruleInside } from "./rules/book/compiled-rule.js"
export type { RuleBook } from "./rules/book/rule-book.js"
export { compileRule, compileRules } from "./rules/compile-rules.js"
export { defaultRules } from "./rules/defaults/default-rules.js"
export { modeRules } from "./rules/defaults/mode-rules.js"
export type { Facts } from "./rules/facts.js"
export { describeSource, flagFor, formatRule } from "./rules/format-rule.js"
export { judge, judgeFile, mayKeepCopy } from "./rules/judge.js"
export { parseRule } from "./rules/parse-rule.js"
export { compileGlob } from "./rules/pattern/glob.js"
export { hostBundles, machineBundles } from "./rules/pattern/host-bundles.js"
export { normalHost } from "./rules/pattern/host-pattern.js"
export { joinWords } from "./rules/pattern/words.js"
export { runsCommands } from "./rules/permission-kind.js"
export { proposeRule } from "./rules/propose.js"
export { coversSample, whyNoAnswer, whyNotSavable } from "./rules/savable.js"
export { type RuleTestResult, testRules } from "./rules/self-test.js"
export { specificity } from "./rules/specificity.js"
export { stricterJudgement } from "./rules/stricter-judgement.js"
export type { Variables } from "./variables.js"
export { builtinDetectors } from "./watchdog/builtin-detectors.js"
export type {
  AgentManifest,
  Detector,
  DetectorVerdict,
  RecentCall,
  TaintedText,
  WatchdogRequest,
} from "./watchdog/detector.js"
export { codeWords, firstLookalike, hiddenIn, replaceHidden } from "./watchdog/detectors/hidden-characters.js"
export { runWatchdog, type WatchdogVerdict } from "./watchdog/run-watchdog.js"
