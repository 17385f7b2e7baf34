import { endOfBracket } from "./end-of-bracket.js"

/** Whether an awk program surely does nothing but read its input and print to standard output. */
export function runsOnlyReads(program: string): boolean {
  let printing = false
  let depth = 0
  const position = new Position()
  tokens.lastIndex = 0
  for (let found = tokens.exec(program); found; found = tokens.exec(program)) {
    const [token] = found
    if (token.startsWith("/") && position.slash !== "divides") {
      const end = position.slash === "begins a pattern" ? endOfRegex(program, found.index) : undefined
      if (end === undefined) return false
      tokens.lastIndex = end
      position.slash = "is unclear"
      continue
    }
    // Where nothing can be assigned to, some take `/=` for the begin of a pattern.
    if (forbidden.has(token) || token === "/=") return false
    if (token === "(" || token === "[") depth++
    else if (token === ")" || token === "]") depth--
    else if (token === "{" || token === "}" || token === ";") {
      // A line end is no end of a statement: one may go on behind a comma.
      printing = false
      depth = 0
    } else if (token === "print" || token === "printf") {
      printing = true
      depth = 0
    }
    // Behind `print` and outside parentheses it is a redirection, elsewhere a comparison.
    if ((token === ">" || token === ">>") && printing && depth <= 0) return false
    position.follow(token)
  }
  return true
}

const tokens =
  /\\\n|[^\S\n]+|\s|#[^\n]*|"(?:[^"\\]|\\[\s\S])*"|[A-Za-z_]\w*|[\d.]+|[<>=!+*/%^-]=|&&|\|\||>>|\+\+|--|!~|[\s\S]/g

/** What a slash would mean at a place of a program: that depends on what is in front of it. */
class Position {
  slash: "divides" | "begins a pattern" | "is unclear" = "begins a pattern"
  private word = ""
  /** For each open parenthesis, whether it holds a condition. */
  private readonly conditions: boolean[] = []

  follow(token: string): void {
    if (token === "\\\n" || /^[^\S\n]|^#/.test(token)) return
    if (token === "\n") this.slash = this.conditions.length > 0 ? "is unclear" : "begins a pattern"
    else if (token === ")") this.slash = this.conditions.pop() ? "is unclear" : "divides"
    else if (unclear.has(token)) this.slash = "is unclear"
    else this.slash = /^["\w.\]]/.test(token) && !keywords.has(token) ? "divides" : "begins a pattern"
    if (token === "(") this.conditions.push(/^(?:if|while|for|switch)$/.test(this.word))
    this.word = token
  }
}

// A single bar is a pipe; ARGV names further files; @ loads extensions and calls functions by name.
const forbidden = new Set([
  "system",
  "getline",
  "|",
  "@",
  "ARGV",
  "ARGC",
  "close",
  "fflush",
  '"',
  "`",
  "\\",
  "SYMTAB",
  "FUNCTAB",
  "PROCINFO",
])
const keywords = new Set(["print", "printf", "return", "if", "while", "in", "else", "do", "case"])
// Versions of awk read a slash behind these in different ways.
const unclear = new Set(
  "$ ++ -- exit delete length next nextfile break continue default function func switch for BEGIN END".split(" "),
)

function endOfRegex(program: string, at: number): number | undefined {
  for (let next = at + 1; next < program.length; next++) {
    const letter = program[next]
    if (letter === "\n") return undefined
    if (letter === "\\") next++
    else if (letter === "[") {
      // In brackets a slash may or may not end the expression; which, differs between versions.
      const end = endOfBracket(program, next)
      if (end === undefined || program.slice(next, end).includes("/")) return undefined
      next = end - 1
    } else if (letter === "/") return next + 1
  }
  return undefined
}
