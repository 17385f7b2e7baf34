import { type Argument, literal, unknown } from "../program/findings.js"
import type { Scope, Walk } from "./walk.js"

/** The value of a variable or parameter by its name; undefined when it cannot be known. */
export function variableValue(walk: Walk, scope: Scope, name: string): Argument | undefined {
  if (/^[?#$!]$/.test(name)) return unknown(`$${name}`, "no option")
  if (/^\d$/.test(name)) return name === "0" ? undefined : scope.positional?.[Number(name) - 1]
  if (scope.poisoned) return undefined
  const value = scope.variables.get(name)
  if (value) return isSetOnce(scope.whole, name) ? value : undefined
  if (value === null) return undefined
  if (name === "HOME" && !mentions(scope.whole, name)) return literal(walk.context.home)
  if (name === "PWD" && !mentions(scope.whole, name)) return placeValue(scope)
  return undefined
}

/** `~` and `~/...`; the homes of others are not known. */
export function expandTilde(walk: Walk, scope: Scope, text: string): Argument {
  const known = (text === "~" || text.startsWith("~/")) && !scope.poisoned && !mentions(scope.whole, "HOME")
  return known ? literal(walk.context.home + text.slice(1)) : unknown(text)
}

/** Where the shell is, when that is certain. */
export function placeValue(scope: Scope): Argument | undefined {
  const [place] = scope.places
  return scope.places.length === 1 && typeof place === "string" ? literal(place) : undefined
}

/** The name is in the text once besides its uses: nothing but the one assignment can have set it. */
function isSetOnce(text: string, name: string): boolean {
  return countMentions(text, name) === 1
}

function mentions(text: string, name: string): boolean {
  return text.includes(name) && countMentions(text, name) > 0
}

/** How often a name is in a text without a dollar sign in front. */
export function countMentions(text: string, name: string): number {
  let count = 0
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    if (isWord(text, at + name.length) || isWord(text, at - 1)) continue
    if (text[at - 1] === "$") continue
    // `${name}` uses it; `${name=...}` may set it.
    if (text.startsWith("${", at - 2) && !/^:?=/.test(text.slice(at + name.length, at + name.length + 2))) continue
    count++
  }
  return count
}

function isWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
}

/** Whether a variable decides which programs, libraries or options other programs use. */
export function isDangerousVariable(name: string): boolean {
  return exact.has(name) || pattern.test(name)
}

const exact = new Set(
  "PATH HOME IFS ENV CDPATH SHELL SHELLOPTS BASHOPTS PS4 PROMPT_COMMAND FPATH ZDOTDIR INPUTRC TMPDIR PAGER MANPAGER EDITOR VISUAL BROWSER MAGIC TAPE GZIP BZIP BZIP2 ZIP ZIPOPT ZIPINFO ZIPINFOOPT UNZIP UNZIPOPT RIPGREP_CONFIG_PATH MAKEFLAGS MAKEFILES CC CXX LD AR RUSTFLAGS RUSTDOCFLAGS GOFLAGS GCONV_PATH LOCPATH NLSPATH HOSTALIASES TERMCAP CURL_HOME WGETRC NETRC AWKPATH AWKLIBPATH POSIXLY_CORRECT OPENSSL_CONF SSLKEYLOGFILE KUBECONFIG DOCKER_HOST OLDPWD PWD RANDOM SRANDOM SECONDS LINENO HISTCMD EPOCHSECONDS EPOCHREALTIME BASHPID OPTIND FUNCNEST GLOBIGNORE EXECIGNORE HISTFILE TIMEFORMAT".split(
    " ",
  ),
)

const pattern =
  /^(?:LD_|DYLD_|GIT_|BASH_|SSH_|XDG_|NODE_|PYTHON|PERL|RUBY|GEM_|BUNDLE_|JAVA_|_JAVA_|JDK_|CARGO_|RUSTC|GO[A-Z]+$|PIP_|UV_|YARN_|PNPM_|NPM_|npm_|CMAKE_|GCC_|COMPILER_PATH|MALLOC_|GLIBC_|GTK_|QT_|VIM|EXINIT|COREPACK_|HAFT_|LESS|XZ_|ZSTD_|TERMINFO)|_(?:proxy|PROXY|PAGER|EDITOR|OPTIONS|FLAGS|PRELOAD)$|^(?:http|https|all|no)_proxy$/i

/** The shell sets a variable without an assignment, as `for name in ...` and `{name}> file` do. */
export function setByShell(walk: Walk, name: string): void {
  if (!/^\w+$/.test(name)) walk.trouble ??= `bash evaluates the name "${name}"`
  if (isDangerousVariable(name)) walk.trouble ??= `the variable ${name} decides what programs do`
}
