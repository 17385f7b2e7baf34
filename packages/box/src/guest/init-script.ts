import { guestUser } from "./guest-programs.js"

/** The applets of busybox that the script calls, linked in the initial file system. */
export const initApplets = [
  "cat",
  "chmod",
  "chown",
  "chroot",
  "cp",
  "env",
  "grep",
  "hostname",
  "ifconfig",
  "insmod",
  "kill",
  "ln",
  "mkdir",
  "mkfifo",
  "mknod",
  "mount",
  "sh",
  "sleep",
  "tar",
] as const

/** Ports of the serial device, by the number that the machine gives them. */
export const guestPorts = { control: 1, stdout: 2, stderr: 3 } as const

const control = `/dev/vport0p${guestPorts.control}`

/**
 * The first process of the guest. It says READY, waits for one line, runs one command as an ordinary user, and tells
 * its exit code. Everything before READY is the same for every run, and is what a snapshot keeps.
 */
export function initScript(): string {
  return `#!/bin/sh
# The kernel hands its own arguments down as variables.
[ "$1" = clean ] || exec /bin/env -i PATH=/bin /bin/sh /init clean
mount -t proc proc /proc
mount -t devtmpfs dev /dev
for module in /modules/*; do insmod "$module"; done
tries=0
while [ ! -b /dev/vda -o ! -b /dev/vdb -o ! -c ${control} ]; do
  tries=$((tries + 1)); [ $tries -gt 500 ] && echo "no devices" && exit 1
  sleep 0.02
done

# The image is never written: changes go to memory and are gone with the machine.
mount -t ext4 -o ro,nodev,nosuid /dev/vda /lower || exit 1
mount -t tmpfs -o size=60%,mode=755,nodev,nosuid layer /layer
mkdir /layer/upper /layer/work
mount -t overlay -o lowerdir=/lower,upperdir=/layer/upper,workdir=/layer/work,nodev,nosuid root /root || exit 1
mkdir -p /root/proc /root/sys /root/dev /root/run /root/tmp /root/work /root/home/box
chmod 1777 /root/tmp
chown ${guestUser}:${guestUser} /root/work /root/home/box
mount -t proc -o nosuid,nodev,noexec,hidepid=2 proc /root/proc
mount -t sysfs -o ro,nosuid,nodev,noexec sys /root/sys
mount -t tmpfs -o size=16m,mode=755,nodev,nosuid run /root/run

# Only harmless devices: the ports of this script do not exist for the command.
mount -t tmpfs -o size=64k,mode=755,nosuid,noexec devices /root/dev
mknod -m 666 /root/dev/null c 1 3
mknod -m 666 /root/dev/zero c 1 5
mknod -m 666 /root/dev/full c 1 7
mknod -m 666 /root/dev/random c 1 8
mknod -m 666 /root/dev/urandom c 1 9
ln -s /proc/self/fd /root/dev/fd
ln -s /proc/self/fd/0 /root/dev/stdin
ln -s /proc/self/fd/1 /root/dev/stdout
ln -s /proc/self/fd/2 /root/dev/stderr
mkdir -m 1777 /root/dev/shm
mount -t tmpfs -o size=25%,mode=1777,nosuid,nodev memory /root/dev/shm

grep -q '^[^:]*:[^:]*:${guestUser}:' /root/etc/passwd 2>/dev/null ||
  echo 'box:x:${guestUser}:${guestUser}:box:/home/box:/bin/sh' >> /root/etc/passwd
grep -q '^[^:]*:[^:]*:${guestUser}:' /root/etc/group 2>/dev/null || echo 'box:x:${guestUser}:' >> /root/etc/group
echo '127.0.0.1 localhost box' > /root/etc/hosts
hostname box
ifconfig lo 127.0.0.1 up
# Unpacking happens inside the root, so that links of the image lead nowhere else.
mkdir -m 700 /root/run/.unpack
cp /bin/busybox /root/run/.unpack/busybox
shell=/bin/sh
[ -x /root/bin/bash -o -L /root/bin/bash ] && shell=/bin/bash

# What nearly every command needs is in memory before it is needed.
chroot /root $shell -c true

# Named pipes of the command's user, because a port opens only once and /dev/stdout opens it again.
mkfifo -m 600 /io/stdout /io/stderr
chown ${guestUser}:${guestUser} /io/stdout /io/stderr
cat /io/stdout > /dev/vport0p${guestPorts.stdout} & stdout=$!
cat /io/stderr > /dev/vport0p${guestPorts.stderr} & stderr=$!
exec 4<> ${control}
echo READY >&4

read -r word nonce seed <&4
[ "$word" = GO ] || exit 1
fail() { echo "FAILED $nonce $1" >&4; exec sleep 1000; }
printf "$seed" | /bin/seed 3> /dev/urandom || fail seed
chroot /root /run/.unpack/busybox tar -xf - < /dev/vdb || fail unpack
echo "STARTED $nonce" >&4
(
  exec 4>&- < /dev/null > /io/stdout 2> /io/stderr
  # When memory runs out, the command goes and not this script.
  echo 1000 > /proc/self/oom_score_adj
  ulimit -c 0
  # The letter depends on the age of busybox.
  ulimit -u 512 2> /dev/null || ulimit -p 512
  export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/home/box USER=box LOGNAME=box
  export SHELL=$shell LANG=C.UTF-8 TERM=dumb
  exec /bin/confine /root /work $shell $shell /run/box/command
)
code=$?
# Whatever the command left running ends here; then the pipes end, and with them their readers.
/bin/confine / / /bin/busybox kill -9 -1 4>&-
wait $stdout $stderr
echo "EXIT $nonce $code" >&4
sleep 1000
`
}
