import { randomBytes } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { extname, join, relative, sep } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { ignoreMissing } from "@haft/contract"
import { contentSecurityPolicy } from "./access/headers.js"

const mediaTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
}

// Its place in index.html; the page hands it to what makes styles.
const noncePlaceholder = "__NONCE__"

interface Asset {
  readonly bytes: Buffer
  readonly type: string
  /** Made at the first request for it. */
  gzip?: Buffer
}

/** The files of the built page. They are listed once, so that no request is ever a path on the disk. */
export class Page {
  private readonly assets = new Map<string, Asset | string>()

  /** Without a folder, or with an empty one, the page says how it is built. */
  constructor(folder: string | undefined) {
    for (const file of folder === undefined ? [] : filesBelow(folder)) {
      // An installed package has them compressed.
      const path = `/${relative(folder!, file).split(sep).join("/").replace(/\.gz$/, "")}`
      // Notes of the build.
      if (!path.includes("/.")) this.assets.set(path, file)
    }
  }

  get isBuilt(): boolean {
    return this.assets.has("/index.html")
  }

  answer(path: string, acceptEncoding = ""): Response {
    const asset = this.assetAt(path)
    // A deep link is a place inside the page; a file that is not there is missing.
    if (!asset && extname(path) === "") return this.index()
    if (path === "/index.html") return this.index()
    if (!asset) return new Response("There is no such file", { status: 404, headers: { "Content-Type": "text/plain" } })
    const headers: Record<string, string> = {
      "Content-Type": asset.type,
      "Content-Security-Policy": contentSecurityPolicy(newNonce()),
      Vary: "Accept-Encoding",
      // Files with a hash in their names never change.
      "Cache-Control": path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
    }
    if (!/\bgzip\b/.test(acceptEncoding) || !/^text|json|svg|wasm/.test(asset.type)) {
      return new Response(new Uint8Array(asset.bytes), { headers })
    }
    asset.gzip ??= gzipSync(asset.bytes)
    return new Response(new Uint8Array(asset.gzip), { headers: { ...headers, "Content-Encoding": "gzip" } })
  }

  private index(): Response {
    const nonce = newNonce()
    const headers = {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": contentSecurityPolicy(nonce),
      "Cache-Control": "no-store",
    }
    const asset = this.assetAt("/index.html")
    if (asset) return new Response(asset.bytes.toString("utf8").replaceAll(noncePlaceholder, nonce), { headers })
    const words = "The page is not built: npm run build\nThe HTTP API works: see docs/server.md\n"
    return new Response(words, { status: 503, headers: { ...headers, "Content-Type": "text/plain; charset=utf-8" } })
  }

  private assetAt(path: string): Asset | undefined {
    const known = this.assets.get(path)
    if (typeof known !== "string") return known
    const stored = readFileSync(known)
    const type = mediaTypes[extname(path)] ?? "application/octet-stream"
    const asset: Asset = known.endsWith(".gz")
      ? { bytes: gunzipSync(stored), type, gzip: stored }
      : { bytes: stored, type }
    this.assets.set(path, asset)
    return asset
  }
}

function newNonce(): string {
  return randomBytes(16).toString("base64url")
}

function filesBelow(folder: string): readonly string[] {
  const entries = ignoreMissing(() => readdirSync(folder, { recursive: true, withFileTypes: true })) ?? []
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
