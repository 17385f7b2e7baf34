/** Bounds of every job, whatever it is asked for. */
export const limits = {
  pages: 20_000,
  textLength: 32 * 1024 * 1024,
  // 100 megapixels: more than any camera or screen gives, and some 400 MB when decoded.
  pixels: 100_000_000,
  // Outside the heap of the thread, which has a bound of its own.
  memoryBytes: 512 * 1024 * 1024,
  heapMegabytes: 256,

  htmlLength: 5 * 1024 * 1024,
  // Five times the depth of the deepest pages that people make.
  htmlDepth: 200,
  htmlElements: 250_000,
  htmlTagLength: 65_536,
  addressLength: 2_000,
  refreshSeconds: 10,
  outputLength: 8 * 1024 * 1024,
  indents: 12,
  columns: 100,
  // Text below this is no article; a page with more elements is not looked at by the careful extractor.
  articleText: 200,
  carefulElements: 2_500,
  carefulText: 300_000,

  expressionLength: 4_000,
} as const
