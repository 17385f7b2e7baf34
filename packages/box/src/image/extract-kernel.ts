import { ToolError } from "@haft/contract"
import { expand } from "./expand.js"

const elfMagic = 0x7f454c46

/** The kernel itself out of a bzImage: it boots without the guest unpacking it first, which takes seconds when emulated. */
export async function extractKernel(image: Uint8Array): Promise<Uint8Array> {
  const view = new DataView(image.buffer, image.byteOffset, image.byteLength)
  // Offsets of the Linux boot protocol.
  if (image.length < 0x260 || view.getUint32(0x202) !== 0x48647253) throw unusable("it is no bzImage")
  const setupSectors = image[0x1f1] || 4
  const payload = (setupSectors + 1) * 512 + view.getUint32(0x248, true)
  const length = view.getUint32(0x24c, true)
  const kernel = await expand(image.subarray(payload, payload + length))
  const found = new DataView(kernel.buffer, kernel.byteOffset, kernel.byteLength)
  if (kernel.length < 1_000_000 || found.getUint32(0) !== elfMagic) throw unusable("its payload is no kernel")
  return kernel
}

function unusable(reason: string): ToolError {
  return new ToolError("backend", `Cannot use the kernel image: ${reason}`)
}
