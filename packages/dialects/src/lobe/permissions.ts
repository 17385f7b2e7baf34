import type { Action, Rule } from "@haft/contract"
import { arrangeTools } from "../shared/permissions/arrange-tools.js"
import type { ForeignRule } from "../shared/permissions/first-match.js"
import type { ForeignNames, ForeignPolicy } from "../shared/permissions/foreign-policy.js"
import { type LobeMatcher, lobeArgument, lobeMatcher, lobeSubject } from "./permission-matcher.js"

export const lobeApprovalModes = ["manual", "auto-run", "allow-list", "headless"] as const
/** One of the approval modes of LobeHub. */
export type LobeApprovalMode = (typeof lobeApprovalModes)[number]

/** Whether a person is asked: never, unless it runs by itself, or even then. */
export type LobePolicy = "never" | "required" | "always"

/** A condition on arguments with what follows from it; without `match` it holds for every call. */
export interface LobeRule {
  readonly match?: Readonly<Record<string, LobeMatcher>>
  readonly policy: LobePolicy
}

/** What is never run without a question, and never at all headless. */
export interface LobeBlacklistRule {
  readonly description?: string
  readonly match: Readonly<Record<string, LobeMatcher>>
}

/** What a LobeHub user and the packages have configured. */
export interface LobeSettings {
  readonly approvalMode: LobeApprovalMode
  /** Entries `identifier/apiName`. */
  readonly allowList?: readonly string[]
  /** By `identifier/apiName` or `identifier____apiName`; an API that is not there has `never`, as LobeHub's packages do. */
  readonly policies?: Readonly<Record<string, LobePolicy | readonly LobeRule[]>>
  /** LobeHub's own list by default. */
  readonly blacklist?: "default" | readonly LobeBlacklistRule[]
}

/** LobeHub's human intervention: the blacklist, then the approval mode, then the policy of the API. */
export function compileLobe(settings: LobeSettings, names: ForeignNames): ForeignPolicy {
  const { approvalMode, blacklist = "default" } = settings
  // LobeHub skips such a call in silence when nobody is there; a refusal says so.
  const refused: Action = approvalMode === "headless" ? "deny" : "ask"
  const own = typeof blacklist === "string" ? [] : blacklist
  const listOf = (name: string): readonly ForeignRule[] => [
    ...own.flatMap((rule) => blacklisted(rule, name, refused)),
    ...byMode(settings, name),
  ]
  const policy = arrangeTools({ names, listOf, otherwise: approvalMode === "headless" ? "allow" : "ask" })
  if (typeof blacklist !== "string") return policy
  const rules: readonly Rule[] = lobeBlacklist.map((rule) => ({ ...rule, action: refused }))
  return { ...policy, rules: [...policy.rules, ...rules] }
}

/** A blacklist rule is compared with the arguments of every call; a call without the argument is not meant. */
function blacklisted({ match, description }: LobeBlacklistRule, name: string, action: Action): readonly ForeignRule[] {
  const conditions = Object.entries(match)
  const own = conditions.find(([parameter]) => parameter === lobeArgument(name)?.name)
  if (own === undefined) return []
  const subject = lobeSubject(own[0])
  const text = `blacklist ${description ?? JSON.stringify(match)}`
  // All conditions must hold, and a rule has one subject: its own condition alone covers more.
  const partial = conditions.length > 1 ? ({ partial: true } as const) : {}
  return lobeMatcher(own[1]).map((matcher) => ({ text, action, matcher, subject, ...partial }))
}

function byMode(settings: LobeSettings, name: string): readonly ForeignRule[] {
  const { approvalMode, allowList = [] } = settings
  if (approvalMode === "headless") return [everyCall("mode headless", "allow")]
  const listed = allowList.some((entry) => wireName(entry) === wireName(name))
  const decide = (policy: LobePolicy): Action => {
    if (policy === "always") return "ask"
    if (approvalMode === "auto-run") return "allow"
    if (approvalMode === "allow-list") return listed ? "allow" : "ask"
    return policy === "never" ? "allow" : "ask"
  }
  return policyRules(policyOf(settings, name)).flatMap((rule) => ruleLines(rule, name, decide(rule.policy)))
}

/** The first rule that matches wins; when none does, a person is asked. */
function policyRules(policy: LobePolicy | readonly LobeRule[]): readonly LobeRule[] {
  return typeof policy === "string" ? [{ policy }] : [...policy, { policy: "required" }]
}

function ruleLines({ match = {}, policy }: LobeRule, api: string, action: Action): readonly ForeignRule[] {
  const conditions = Object.entries(match)
  const text = `policy ${policy}${conditions.length === 0 ? "" : ` for ${JSON.stringify(match)}`}`
  if (conditions.length === 0) return [everyCall(text, action)]
  const { name: own, optional } = lobeArgument(api) ?? {}
  const [parameter, matcher] = conditions.find(([each]) => each === own) ?? conditions[0]!
  const subject = parameter === own ? lobeSubject(parameter) : "other"
  // A call may lack the argument, and two conditions at once are more than one pattern can say.
  const partial = conditions.length > 1 || subject === "other" || optional ? ({ partial: true } as const) : {}
  return lobeMatcher(matcher).map((each) => ({ text, action, matcher: each, subject, ...partial }))
}

function policyOf({ policies = {} }: LobeSettings, name: string): LobePolicy | readonly LobeRule[] {
  const found = Object.entries(policies).find(([key]) => wireName(key) === wireName(name))
  return found?.[1] ?? "never"
}

function wireName(name: string): string {
  return name.replace("/", "____")
}

function everyCall(text: string, action: Action): ForeignRule {
  return { text, action, matcher: { how: "any" }, subject: "other" }
}

const group = (why: string, permission: string, patterns: readonly string[]): readonly Omit<Rule, "action">[] =>
  patterns.map((pattern) => ({ permission, pattern, why }))

/**
 * LobeHub's own blacklist by what it is about. There it is a list of regular expressions over the text of commands;
 * here the rules are about the effects, so that another spelling of the same command does not get past them.
 */
const lobeBlacklist: readonly Omit<Rule, "action">[] = [
  ...group("removes the system or a home directory", "fs.delete", ["/", "/*", "~/*", "/home/*", "/Users/*"]),
  ...group("changes accounts or logins", "fs.write", [
    "/etc/passwd",
    "/etc/shadow",
    "/etc/sudoers",
    "/etc/sudoers.d/**",
    "/etc/ssh/sshd_config",
  ]),
  // What an unknown program does with the files that it is given cannot be known; two options may be before them.
  ...group("changes accounts or logins", "shell.run", [
    "visudo *",
    ...["/etc/passwd", "/etc/shadow", "/etc/sudoers"].flatMap((file) => [`* ${file} *`, `* * ${file} *`]),
  ]),
  ...group("writes to devices or the kernel", "fs.write", ["/dev/*", "/dev/disk/**", "/proc/sys/**", "/sys/**"]),
  ...group("formats or overwrites a disk", "shell.run", ["mkfs *", "mkfs.?* *", "fdisk *", "parted *", "wipefs *"]),
  ...group("switches the firewall off", "shell.run", [
    "ufw disable",
    "iptables -F *",
    "iptables --flush *",
    "nft flush *",
  ]),
  ...group("removes packages of the system", "shell.run", [
    "apt remove *",
    "apt purge *",
    "apt-get remove *",
    "apt-get purge *",
    "yum remove *",
    "dnf remove *",
  ]),
  ...group("changes the owner of whole trees", "shell.run", ["chown -R *", "chown --recursive *"]),
  ...group("gives a shell the rights of its owner", "shell.run", ["chmod u+s *", "chmod +s *", "chmod 4??? *"]),
  ...group("shows accounts or secrets", "fs.read", [
    "/etc/passwd",
    "/etc/shadow",
    "/etc/sudoers",
    "/etc/sudoers.d/**",
    "/dev/mem",
    "/dev/kmem",
    "**/.env",
    "**/.env.*",
    "~/.ssh/id_*",
    "~/.aws/**",
    "~/.docker/config.json",
    "~/.kube/**",
    "~/.git-credentials",
    "~/.npmrc",
  ]),
]
