import { legacyCodec } from "./codec.js"
import type { LegacyEncoding } from "./encoding.js"

/** Bytes shown to the detector: enough for its statistics, few enough to be quick. */
const evidenceBytes = 8_192

/** Confidence below which a detector's answer is no better than the commonest encoding. */
const leastConfidence = 0.05

/** How the detector calls what we know; superset names mean their subsets. */
const detectorNames: Readonly<Record<string, LegacyEncoding>> = {
  "windows-1250": "windows-1250",
  "windows-1251": "windows-1251",
  "windows-1252": "windows-1252",
  "windows-1253": "windows-1253",
  "windows-1254": "windows-1254",
  "windows-1255": "windows-1255",
  "windows-1256": "windows-1256",
  "windows-1257": "windows-1257",
  "windows-1258": "windows-1258",
  "koi8-r": "koi8-r",
  "koi8-u": "koi8-u",
  gb18030: "gbk",
  big5: "big5",
  cp932: "shift_jis",
  "euc-jp": "euc-jp",
  cp949: "euc-kr",
  "euc-kr": "euc-kr",
}

const westernOnly = ["cp1250", "cp1252", "cp1254", "cp1257"]
const allKnown = [
  ...["cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258", "koi8-r", "koi8-u"],
  ...["gb18030", "big5hkscs", "cp932", "euc_jis_2004", "cp949", "euc_kr"],
]

/** The likeliest encoding of bytes that are not Unicode; a guess that decodes every byte where there is one. */
export async function guessLegacyEncoding(bytes: Uint8Array, firstHigh: number): Promise<LegacyEncoding> {
  const evidence = bytes.subarray(Math.max(0, firstHigh - 256), firstHigh + evidenceBytes)
  const { chardet } = await import("jschardet")
  // Letters with accents are alone between ASCII letters; other scripts come in runs of high bytes.
  const includeEncodings = averageHighRun(evidence) < 1.5 ? westernOnly : allKnown
  const { encoding, confidence } = chardet.detect(evidence, { includeEncodings, preferSuperset: true })
  const named = detectorNames[encoding?.toLowerCase() ?? ""]
  const candidates: LegacyEncoding[] = ["windows-1252", "latin1"]
  if (named !== undefined && confidence >= leastConfidence) candidates.unshift(named)
  if (named === "gbk") candidates.splice(1, 0, "gb18030")
  for (const candidate of candidates) {
    if (!(await legacyCodec(candidate)).decode(bytes).includes("\ufffd")) return candidate
  }
  return candidates[0]!
}

function averageHighRun(bytes: Uint8Array): number {
  let runs = 0
  let high = 0
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at]! < 0x80) continue
    high += 1
    if (at === 0 || bytes[at - 1]! < 0x80) runs += 1
  }
  return runs === 0 ? 0 : high / runs
}
