import sharp from "sharp"
import { createCompute } from "@haft/host"
const png = await sharp({ create: { width: 8, height: 5, channels: 3, background: "red" } }).png().toBuffer()
for (let i=0;i<40;i++){ const c=createCompute(); const big = await sharp({ create: { width: 1800+i, height: 900, channels: 3, background: "red" } }).png().toBuffer(); await c.fitImage(big,{signal:new AbortController().signal,mediaType:"image/png",maxEdge:1568,maxBytes:3500000}); await c.fitImage(Buffer.concat([png.subarray(0,8),Buffer.alloc(64)]),{signal:new AbortController().signal,mediaType:"image/png",maxEdge:1568,maxBytes:3500000}).catch(()=>{}); await c.close() }
console.log("done")
