/** The architectures that a filter can be assembled for. */
export type FilterArchitecture = "x64" | "arm64"

/** `AUDIT_ARCH_*` of linux/audit.h. */
export const auditArchitecture: Readonly<Record<FilterArchitecture, number>> = {
  x64: 0xc000003e,
  arm64: 0xc00000b7,
}

/** Calls that are refused only with certain arguments, or with an answer of their own. */
export const judgedCalls = {
  x64: { clone: 56, clone3: 435, openat2: 437, socket: 41, socketpair: 53, ioctl: 16 },
  arm64: { clone: 220, clone3: 435, openat2: 437, socket: 198, socketpair: 199, ioctl: 29 },
} as const satisfies Record<FilterArchitecture, Record<string, number>>

/** A call that sets the mode of a file, and where its arguments say so. */
export interface ModeCall {
  readonly number: number
  /** Which argument is the mode. */
  readonly mode: number
  /** Which argument has the flags that say whether the mode counts at all. */
  readonly flags?: number
  /** The call may be about a folder, for which set-group-id only means that new entries take its group. */
  readonly ofFolders?: true
}

/** Calls that can make a file with set-user-id or set-group-id bits. */
export const modeCalls: Readonly<Record<FilterArchitecture, readonly ModeCall[]>> = {
  x64: [
    { number: 90, mode: 1, ofFolders: true }, // chmod
    { number: 91, mode: 1, ofFolders: true }, // fchmod
    { number: 268, mode: 2, ofFolders: true }, // fchmodat
    { number: 452, mode: 2, ofFolders: true }, // fchmodat2
    { number: 83, mode: 1, ofFolders: true }, // mkdir
    { number: 258, mode: 2, ofFolders: true }, // mkdirat
    { number: 85, mode: 1 }, // creat
    { number: 133, mode: 1 }, // mknod
    { number: 259, mode: 2 }, // mknodat
    { number: 2, mode: 2, flags: 1 }, // open
    { number: 257, mode: 3, flags: 2 }, // openat
  ],
  arm64: [
    { number: 52, mode: 1, ofFolders: true }, // fchmod
    { number: 53, mode: 2, ofFolders: true }, // fchmodat
    { number: 452, mode: 2, ofFolders: true }, // fchmodat2
    { number: 34, mode: 2, ofFolders: true }, // mkdirat
    { number: 33, mode: 2 }, // mknodat
    { number: 56, mode: 3, flags: 2 }, // openat
  ],
}

/** Calls that are refused whatever their arguments are, as `[x64, arm64]`; undefined where the architecture has none. */
export const refusedCalls: Readonly<Record<string, readonly [number | undefined, number | undefined]>> = {
  // Other processes.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  pidfd_getfd: [438, 438],
  kcmp: [312, 272],
  // Mounts.
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  open_tree_attr: [467, 467],
  // Namespaces.
  unshare: [272, 97],
  setns: [308, 268],
  // Files by number instead of by path, past every mount.
  open_by_handle_at: [304, 265],
  // Keyrings are not part of any namespace.
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  // Large surfaces of the kernel that ordinary programs do without; io_uring also passes by this very filter.
  bpf: [321, 280],
  perf_event_open: [298, 241],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  userfaultfd: [323, 282],
  // The machine as a whole.
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  acct: [163, 89],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  syslog: [103, 116],
  iopl: [172, undefined],
  ioperm: [173, undefined],
}
