import { buildDrivers, perlFiles } from "../guest/build-initrd.js"

/** Drivers of an image that is never booted. */
export const fakeDrivers = buildDrivers({
  busybox: Buffer.from("busybox"),
  perl: perlFiles.map((path) => ({ path, content: Buffer.from(path) })),
  modules: [],
})
