import { isInside } from "@haft/contract"
import { fold } from "../path.js"
import { compileGlob, type GlobTest, hasWildcard } from "./pattern/glob.js"
import { type PathMatcher, pathMatcher } from "./pattern/path-matcher.js"
import type { CompiledRule } from "./rule.js"

/** A folder as the table sees it: what holds for everything in it is found once. */
interface FolderRules {
  /** The folder as it is compared, without a closing slash; empty for the root. */
  readonly path: string
  /** Rules that match whatever is in the folder. */
  readonly inherited: readonly CompiledRule[]
  /** Rules that name single entries of the folder. */
  readonly entries: RuleIndex | undefined
}

// Enough for the folders of a large search; forgetting them costs a few lookups each.
const maxFolders = 8192

/**
 * Rules about paths, arranged so that one path costs a handful of lookups whatever their number. Deny and ask are
 * compared folded, allow as it is.
 */
export class PathTable {
  private readonly fold: (text: string) => string
  private readonly everything: CompiledRule[] = []
  private readonly entriesOf = new Map<string, RuleIndex>()
  private readonly belowPath = new RuleIndex()
  private readonly byName = new Map<string, { readonly folder: string; readonly rule: CompiledRule }[]>()
  private readonly belowName = new Map<string, { readonly folder: string; readonly rule: CompiledRule }[]>()
  private readonly byExtension = new RuleIndex()
  private readonly globs: { readonly test: GlobTest; readonly rule: CompiledRule }[] = []
  private readonly tests: { readonly test: (path: string) => boolean; readonly rule: CompiledRule }[] = []
  private readonly folders = new Map<string, FolderRules>()
  /** Most paths are in the folder of the one before (benchmark: workspace-size, first read). */
  private last: { readonly folder: string; readonly rules: FolderRules } | undefined

  constructor(rules: readonly CompiledRule[], options: { readonly folded: boolean }) {
    this.fold = options.folded ? fold : asItIs
    for (const rule of rules) for (const matcher of matchersOf(rule, options.folded)) this.add(matcher, rule)
  }

  /** Adds the rules that match an entry of a folder, each once. */
  collect(folder: string, entry: string, into: CompiledRule[]): void {
    const name = this.fold(entry)
    const found = this.rulesIn(folder)
    addAll(into, this.everything)
    addAll(into, found.inherited)
    addAll(into, found.entries?.get(name))
    if (this.byName.size > 0) collectNamed(this.byName.get(name), found.path, into)
    if (this.byExtension.size > 0) addAll(into, this.byExtension.get(extensionOf(name)))
    for (const glob of this.globs) if (glob.test(name)) addOnce(into, glob.rule)
    if (this.tests.length > 0) {
      const path = `${found.path}/${name}`
      for (const { test, rule } of this.tests) if (test(path)) addOnce(into, rule)
    }
  }

  /** Whether no rule matches something in a folder, or below it, because of where it is. */
  isQuietBelow(folder: string): boolean {
    const { inherited, path } = this.rulesIn(folder)
    if (this.everything.length > 0 || this.belowName.size > 0 || inherited.length > 0) return false
    for (const named of this.entriesOf.keys()) if (isInside(named, path)) return false
    return true
  }

  private rulesIn(folder: string): FolderRules {
    if (this.last?.folder === folder) return this.last.rules
    const rules = this.folders.get(folder) ?? this.folderRules(folder)
    this.last = { folder, rules }
    return rules
  }

  private folderRules(folder: string): FolderRules {
    if (this.folders.size >= maxFolders) this.folders.clear()
    const rules = this.readFolder(folder)
    this.folders.set(folder, rules)
    return rules
  }

  private readFolder(folder: string): FolderRules {
    const path = this.fold(folder)
    const entries = this.entriesOf.get(path)
    if (folder === "") return { path, inherited: [], entries }
    const split = folder.lastIndexOf("/")
    const above = this.folders.get(folder.slice(0, split)) ?? this.folderRules(folder.slice(0, split))
    const inherited = [...above.inherited]
    addAll(inherited, this.belowPath.get(path))
    collectNamed(this.belowName.get(this.fold(folder.slice(split + 1))), above.path, inherited)
    return { path, inherited, entries }
  }

  private add(matcher: PathMatcher, rule: CompiledRule): void {
    switch (matcher.by) {
      case "everything":
        this.everything.push(rule)
        break
      case "path":
        this.addPath(matcher.path, rule)
        if (matcher.below) this.belowPath.add(matcher.path, rule)
        break
      case "name": {
        const { name, folder } = matcher
        addTo(this.byName, name, { folder, rule })
        if (matcher.below) addTo(this.belowName, name, { folder, rule })
        break
      }
      case "glob":
        if (isExtension(matcher.glob)) this.byExtension.add(matcher.glob.slice(1), rule)
        else this.globs.push({ test: compileGlob(matcher.glob), rule })
        break
      case "parts":
        this.tests.push({ test: matcher.test, rule })
    }
  }

  private addPath(path: string, rule: CompiledRule): void {
    const split = path.lastIndexOf("/")
    const folder = path.slice(0, split)
    const entries = this.entriesOf.get(folder) ?? new RuleIndex()
    entries.add(path.slice(split + 1), rule)
    this.entriesOf.set(folder, entries)
  }
}

function matchersOf(rule: CompiledRule, folded: boolean): readonly PathMatcher[] {
  if (rule.pattern === undefined) return [{ by: "everything" }]
  if (rule.pattern.kind !== "path") return []
  return rule.pattern.variants.map((variant) => pathMatcher(folded ? variant.folded : variant.parts))
}

/** Names that count only where the folder ends with certain parts. */
function collectNamed(
  named: readonly { readonly folder: string; readonly rule: CompiledRule }[] | undefined,
  folder: string,
  into: CompiledRule[],
): void {
  if (named) for (const each of named) if (each.folder === "" || folder.endsWith(each.folder)) addOnce(into, each.rule)
}

function isExtension(glob: string): boolean {
  return glob.startsWith("*.") && !hasWildcard(glob.slice(1)) && glob.lastIndexOf(".") === 1
}

function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".")
  return dot < 0 ? "" : name.slice(dot)
}

function asItIs(text: string): string {
  return text
}

function addTo<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

function addAll(into: CompiledRule[], rules: readonly CompiledRule[] | undefined): void {
  if (rules) for (let index = 0; index < rules.length; index++) addOnce(into, rules[index]!)
}

function addOnce(into: CompiledRule[], rule: CompiledRule): void {
  if (into.length === 0 || !into.includes(rule)) into.push(rule)
}

/** Rules by an exact key. */
class RuleIndex {
  private readonly rules = new Map<string, CompiledRule[]>()

  get size(): number {
    return this.rules.size
  }

  get(key: string): readonly CompiledRule[] | undefined {
    return this.rules.get(key)
  }

  add(key: string, rule: CompiledRule): void {
    const list = this.rules.get(key)
    if (list) list.push(rule)
    else this.rules.set(key, [rule])
  }
}
