import { randomBytes } from "node:crypto"
import { ToolError } from "@haft/contract"

/** 256 random bits. */
export function newToken(): string {
  return randomBytes(32).toString("base64url")
}

/** A token that a person chose: long enough not to be guessed, and fit for an address. */
export function checkToken(token: string): string {
  if (/^[\w.~-]{16,200}$/.test(token)) return token
  throw new ToolError("invalid_args", "Cannot use this token: it must have 16 to 200 letters, digits, - . _ or ~", {
    hint: "Leave --token out to get a new one at each start",
  })
}
