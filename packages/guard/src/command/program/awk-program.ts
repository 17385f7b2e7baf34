/** Whether an awk program surely does nothing but read its input and print to standard output. */
export function runsOnlyReads(program: string): boolean {
  let printing = false
  let depth = 0
  let operand = false
  const tokens = /\s+|#[^\n]*|"(?:[^"\\]|\\[\s\S])*"|[A-Za-z_]\w*|[\d.]+|[<>=!+*/%^-]=|&&|\|\||>>|\+\+|--|!~|[\s\S]/g
  for (let found = tokens.exec(program); found; found = tokens.exec(program)) {
    const [token] = found
    if (token === "/" && !operand) {
      const end = endOfRegex(program, found.index)
      if (end === undefined) return false
      tokens.lastIndex = end
      operand = true
      continue
    }
    if (forbidden.has(token)) return false
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
    if (token === '"' || token === "`") return false
    if (!/^\s|^#/.test(token))
      operand = (/^["\w.$)\]]/.test(token) || token === "++" || token === "--") && !keywords.has(token)
  }
  return true
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
  "SYMTAB",
  "FUNCTAB",
  "PROCINFO",
])
const keywords = new Set(["print", "printf", "return", "if", "while", "in", "else", "do", "case"])

function endOfRegex(program: string, at: number): number | undefined {
  for (let next = at + 1; next < program.length; next++) {
    const letter = program[next]
    if (letter === "\n") return undefined
    if (letter === "\\") next++
    else if (letter === "[") {
      // In brackets a slash may or may not end the expression; which, differs between versions.
      const end = program.indexOf("]", next + 2)
      if (end < 0 || program.slice(next, end).includes("/")) return undefined
      next = end
    } else if (letter === "/") return next + 1
  }
  return undefined
}
