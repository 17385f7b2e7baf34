import { expect, test } from "vitest"
import { confineMachine } from "./confine-machine.js"
import { qemuArguments } from "./qemu-arguments.js"

const settings = { memoryMiB: 512, kernel: "/image/vmlinux", initrd: "/image/initrd" } as const
const sandbox = {
  programs: {
    qemu: "/usr/bin/qemu",
    bwrap: "/usr/bin/bwrap",
    prlimit: "/usr/bin/prlimit",
    setpriv: "/usr/bin/setpriv",
  },
  systemFolders: [{ path: "/usr" }, { path: "/lib", linksTo: "usr/lib" }],
  imageFolder: "/home/me/images/debian-12",
  memoryMiB: 512,
} as const

const lines = (words: readonly string[]) =>
  words
    .join(" ")
    .replaceAll(/ (--?[a-z])/g, "\n$1")
    .split("\n")

test("an emulated machine that continues a snapshot", () => {
  expect(lines(qemuArguments({ ...settings, accelerator: "tcg", start: "restore" }))).toEqual([
    "-nodefaults",
    "-no-user-config",
    "-display none",
    "-no-reboot",
    "-name haft-box",
    "-machine q35,sata=off,smbus=off,i8042=off,usb=off,vmport=off,hpet=on",
    "-accel tcg,tb-size=128",
    "-cpu qemu64,+ssse3,+sse4.1,+sse4.2,+popcnt,+rdrand",
    "-smp 1",
    "-m 512",
    "-append panic=-1 quiet no_timer_check tsc=unstable clocksource=hpet mitigations=off",
    "-device virtio-serial-pci,id=serial,max_ports=5,addr=2",
    "-device virtio-blk-pci,drive=root,addr=3",
    "-device virtio-blk-pci,drive=job,addr=4",
    "-kernel /image/vmlinux",
    "-initrd /image/initrd",
    "-add-fd fd=6,set=6",
    "-blockdev driver=raw,node-name=root,read-only=on,file.driver=file,file.filename=/dev/fdset/6,file.locking=off",
    "-add-fd fd=7,set=7",
    "-blockdev driver=raw,node-name=job,read-only=on,file.driver=file,file.filename=/dev/fdset/7,file.locking=off",
    "-chardev socket,id=control,fd=3",
    "-device virtserialport,bus=serial.0,chardev=control,nr=1,name=control",
    "-chardev socket,id=stdout,fd=4",
    "-device virtserialport,bus=serial.0,chardev=stdout,nr=2,name=stdout",
    "-chardev socket,id=stderr,fd=5",
    "-device virtserialport,bus=serial.0,chardev=stderr,nr=3,name=stderr",
    "-chardev socket,id=network,fd=11",
    "-device virtserialport,bus=serial.0,chardev=network,nr=4,name=network",
    "-incoming fd:8",
    "-sandbox on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny",
  ])
})

test("a machine on the real processor keeps the kernel's protections", () => {
  const words = qemuArguments({ ...settings, accelerator: "kvm", start: "boot" }).join(" ")
  expect(words).toContain("-accel kvm -cpu host")
  expect(words).not.toMatch(/mitigations|incoming|-mon/)
})

test("only a machine that is told to save its state has a monitor", () => {
  const monitored = qemuArguments({ ...settings, accelerator: "tcg", start: "monitored" }).join(" ")
  expect(monitored).toContain("-chardev socket,id=monitor,fd=9 -mon chardev=monitor,mode=control")
})

test("no machine has a network card, a screen, a shared folder or a default device", () => {
  for (const accelerator of ["kvm", "tcg"] as const) {
    const words = qemuArguments({ ...settings, accelerator, start: "boot" }).join(" ")
    expect(words).toContain("-nodefaults")
    expect(words).not.toMatch(/-net|netdev|virtfs|9p|vhost|vga|usb-|-vnc|-spice/)
  }
})

test("root starts QEMU as nobody, without a user namespace", () => {
  expect(lines(confineMachine({ ...sandbox, asRoot: true }, ["-nodefaults"]))).toEqual([
    "/usr/bin/bwrap",
    "--unshare-ipc",
    "--unshare-pid",
    "--unshare-net",
    "--unshare-uts",
    "--unshare-cgroup-try",
    "--info-fd 10",
    "--die-with-parent",
    "--new-session",
    "--hostname box",
    "--clearenv",
    "--setenv PATH /usr/bin",
    "--cap-drop ALL",
    "--cap-add CAP_SETUID",
    "--cap-add CAP_SETGID",
    "--cap-add CAP_SETPCAP",
    "--ro-bind /usr /usr",
    "--symlink usr/lib /lib",
    "--ro-bind-try /etc/ld.so.cache /etc/ld.so.cache",
    "--proc /proc",
    "--dev /dev",
    "--ro-bind /home/me/images/debian-12 /image",
    "--chdir /",
    "--remount-ro / -- /usr/bin/prlimit",
    "--core=0",
    "--fsize=0",
    "--nofile=128",
    "--as=2684354560 -- /usr/bin/setpriv",
    "--reuid=65534",
    "--regid=65534",
    "--clear-groups",
    "--no-new-privs",
    "--inh-caps=-all",
    "--bounding-set=-all -- /usr/bin/qemu",
    "-nodefaults",
  ])
})

test("an ordinary user starts QEMU as itself in namespaces of its own", () => {
  const words = confineMachine({ ...sandbox, asRoot: false, kvmDevice: "/dev/kvm" }, [])
  expect(words.slice(1, 2)).toEqual(["--unshare-all"])
  expect(words).not.toContain("--cap-add")
  expect(words).not.toContain(sandbox.programs.setpriv)
  expect(words.join(" ")).toContain("--dev-bind /dev/kvm /dev/kvm")
})
