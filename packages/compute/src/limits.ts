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
  // Several times the depth of the deepest pages that people make.
  htmlDepth: 200,
  // Openings and endings.
  htmlTags: 500_000,
  // A character reference cuts the text in two; some 300,000 of them are all that the memory of the thread holds.
  htmlReferenceWeight: 4,
  htmlTagLength: 65_536,
  addressLength: 2_000,
  refreshSeconds: 10,
  outputLength: 8 * 1024 * 1024,
  indents: 12,
  columns: 100,
  // Less text than this is no article.
  articleText: 200,
  // Above these the careful extractor would take longer than everything else together.
  carefulTags: 3_000,
  carefulText: 300_000,

  expressionLength: 4_000,
} as const
