import { isIP } from "node:net"
import { domainToASCII } from "node:url"

/** The one spelling of a host that is judged and dialled: ASCII, lower case, no final dot; undefined for anything else. */
export function hostName(spelled: string): string | undefined {
  if (/[\0-\x20\x7f/\\@?#%*<>^|]/.test(spelled)) return undefined
  const bare = spelled.startsWith("[") && spelled.endsWith("]") ? spelled.slice(1, -1) : spelled
  if (isIP(bare) === 6) return new URL(`http://[${bare.replace(/%.*$/, "")}]/`).hostname.slice(1, -1)
  const ascii = domainToASCII(bare.replace(/\.$/, "")).toLowerCase()
  if (ascii === "" || ascii.length > 253 || !/^[a-z0-9_.-]+$/.test(ascii)) return undefined
  // Numbers in every disguise (0x7f.1, 2130706433) come out of the address parser as what they mean.
  const normal = URL.canParse(`http://${ascii}/`) ? new URL(`http://${ascii}/`).hostname : undefined
  if (normal === undefined || normal.split(".").some((label) => label === "" || label.length > 63)) return undefined
  return normal
}
