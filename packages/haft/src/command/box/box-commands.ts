import type { Command } from "../command.js"

/** The commands about machines for the `box` tool. */
export const boxCommands: readonly Command[] = [
  {
    name: "image",
    about: "The images: build, list, warm, import, remove",
    operands: "ACTION [NAME] [MIRROR | ROOTFS.TAR | OCI-LAYOUT]",
    count: [1, 3],
    completes: ["build", "list", "warm", "import", "remove"],
    examples: [
      "haft box image build debian-12",
      "haft box image warm debian-12",
      "haft box image import mine rootfs.tar",
    ],
    load: () => import("./image.js"),
  },
  {
    name: "doctor",
    about: "Which isolation this machine can give, tried for real",
    load: () => import("./doctor.js"),
  },
]
