import { guestPorts } from "../guest/relay-script.js"

/** What makes the processor of the guest go: the host's own virtualisation, or emulation. */
export type Accelerator = "kvm" | "tcg"

/** The inherited descriptors of a machine and its sandbox; QEMU opens no path but kernel and initial file system. */
export const machineDescriptors = {
  control: 3,
  stdout: 4,
  stderr: 5,
  root: 6,
  job: 7,
  snapshot: 8,
  monitor: 9,
  sandbox: 10,
  network: 11,
} as const

/** What one machine is started with. */
export interface MachineSettings {
  readonly accelerator: Accelerator
  readonly memoryMiB: number
  readonly kernel: string
  readonly initrd: string
  /** `restore` continues a snapshot; `monitored` can save one. */
  readonly start: "boot" | "restore" | "monitored"
}

/** The arguments of QEMU. Nothing is attached that is not named here: no network card, no screen, no shared folder. */
export function qemuArguments(settings: MachineSettings): readonly string[] {
  const { start, kernel, initrd } = settings
  return [
    ...hardwareArguments(settings),
    ...["-kernel", kernel, "-initrd", initrd],
    ...diskFile("root", machineDescriptors.root),
    ...diskFile("job", machineDescriptors.job),
    ...port("control", machineDescriptors.control),
    ...port("stdout", machineDescriptors.stdout),
    ...port("stderr", machineDescriptors.stderr),
    // Always there, because a snapshot knows its devices; without granted hosts nobody reads it.
    ...port("network", machineDescriptors.network),
    ...(start === "restore" ? ["-incoming", `fd:${machineDescriptors.snapshot}`] : []),
    ...(start === "monitored"
      ? ["-chardev", `socket,id=monitor,fd=${machineDescriptors.monitor}`, "-mon", "chardev=monitor,mode=control"]
      : []),
    ...["-sandbox", "on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny"],
  ]
}

/** The part that a snapshot depends on: a machine with other hardware cannot continue it. */
export function hardwareArguments({
  accelerator,
  memoryMiB,
}: Pick<MachineSettings, "accelerator" | "memoryMiB">): readonly string[] {
  return [
    ...["-nodefaults", "-no-user-config", "-display", "none", "-no-reboot", "-name", "haft-box"],
    ...["-machine", "q35,sata=off,smbus=off,i8042=off,usb=off,vmport=off,hpet=on"],
    ...processorArguments[accelerator],
    ...["-smp", "1", "-m", String(memoryMiB)],
    ...["-append", `panic=-1 quiet ${kernelArguments[accelerator]}`],
    ...["-device", "virtio-serial-pci,id=serial,max_ports=5,addr=2"],
    ...["-device", "virtio-blk-pci,drive=root,addr=3", "-device", "virtio-blk-pci,drive=job,addr=4"],
  ]
}

const processorArguments: Readonly<Record<Accelerator, readonly string[]>> = {
  kvm: ["-accel", "kvm", "-cpu", "host"],
  // The second generation of x86-64, for programs that are built for it; wider vectors are slow when emulated.
  tcg: ["-accel", "tcg,tb-size=128", "-cpu", "qemu64,+ssse3,+sse4.1,+sse4.2,+popcnt,+rdrand"],
}

const kernelArguments: Readonly<Record<Accelerator, string>> = {
  kvm: "no_timer_check",
  // On a busy host the guest cannot measure its time stamp counter, and stops; the event timer needs no measuring.
  // An emulated processor does not speculate, and working around that would flush its tables at every system call.
  tcg: "no_timer_check tsc=unstable clocksource=hpet mitigations=off",
}

// Drives come before the devices that name them in QEMU's own order, wherever they are on the line.
function diskFile(name: "root" | "job", descriptor: number): readonly string[] {
  const set = descriptor
  return [
    ...["-add-fd", `fd=${descriptor},set=${set}`],
    "-blockdev",
    `driver=raw,node-name=${name},read-only=on,file.driver=file,file.filename=/dev/fdset/${set},file.locking=off`,
  ]
}

function port(name: keyof typeof guestPorts, descriptor: number): readonly string[] {
  return [
    ...["-chardev", `socket,id=${name},fd=${descriptor}`],
    ...["-device", `virtserialport,bus=serial.0,chardev=${name},nr=${guestPorts[name]},name=${name}`],
  ]
}
