import { type NamedEffect, ToolError } from "@haft/contract"
import * as z from "zod"

/** An address of the web in its usual spelling, or the reason why a text is none. */
export type WebAddress =
  | { readonly isValid: true; readonly url: string; readonly host: string; readonly port: number }
  | { readonly isValid: false; readonly reason: string }

/** Reads an address; user name, password and fragment are left out, because none of them is ever sent. */
export function webAddress(text: string): WebAddress {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined
  if (url === undefined) return { isValid: false, reason: "it is no address; write https://host/path" }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return { isValid: false, reason: "only http and https are allowed" }
  }
  if (url.hostname === "") return { isValid: false, reason: "it names no host; write https://host/path" }
  url.username = ""
  url.password = ""
  url.hash = ""
  const port = url.port === "" ? (url.protocol === "http:" ? 80 : 443) : Number(url.port)
  return { isValid: true, url: url.href, host: url.hostname, port }
}

/** An address as an argument: one that cannot be parsed is refused, and no person is asked to allow it. */
export const addressArgument = z
  .string()
  .min(1)
  .superRefine((text, context) => {
    const address = webAddress(text)
    if (text !== "" && !address.isValid) context.addIssue({ code: "custom", message: address.reason })
  })
  .describe("http or https address")

/** The same, where anything else than an address is the caller's mistake. */
export function requireAddress(text: string): Extract<WebAddress, { isValid: true }> {
  const address = webAddress(text)
  if (address.isValid) return address
  throw new ToolError("invalid_args", `Cannot fetch "${shownAddress(text)}": ${address.reason}`)
}

/** The host that a call with this address reaches first; none for what is no address, which the call then reports. */
export function reachedHosts(text: string, method = "GET"): readonly NamedEffect[] {
  const address = webAddress(text)
  return address.isValid ? [{ kind: "net.fetch", host: address.host, port: address.port, method }] : []
}

/** An address for messages: short, and without a password. */
export function shownAddress(text: string): string {
  const plain = text.replace(/\/\/[^/?#]*@/, "//")
  return plain.length > 200 ? `${plain.slice(0, 199)}…` : plain
}
