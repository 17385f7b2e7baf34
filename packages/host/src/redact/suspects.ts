/**
 * A quick look at a text, or at the JSON form of a value: false only when no shape can be in it.
 * JSON escapes put letters in front of what follows (`\n` before a token), so no test here asks for a boundary.
 */
export function suspects(text: string): boolean {
  return (
    names.test(text.toLowerCase()) ||
    afterSeparator.test(text) ||
    rareStarts.test(text) ||
    text.includes("PRIVATE KEY") ||
    (text.includes("@") && urlCredentials.test(text))
  )
}

// Every text of every record passes here, so each pattern starts with what is rare and lets the engine skip ahead.

const names = /assw|assp|secret|token|thoriz|bearer|cookie|key[\w"'`\\ -]{0,60}[:=]/
// Tokens whose prefix ends with _ or -: only there it is worth looking back.
const afterSeparator =
  /(?:[pousrtmce]_|[a-z]-|X-)(?<=gh[pousr]_|github_pat_|npm_|whsec_|k_live_|k_test_|gl[a-z]{2,6}-|xox[a-z]-|xapp-|sk-|GOCSPX-)[\w-]{15}/
const rareStarts = /A(?:[KSB]IA|CCA|Iza)|eyJ|ya29\.|slack\.com/
const urlCredentials = /:\/\/[^\s:@/]*:[^\s/]*@/
