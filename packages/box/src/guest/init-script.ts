import { guestUser } from "./agent-script.js"
import { guestPorts } from "./relay-script.js"

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
  "ln",
  "mkdir",
  "mkfifo",
  "mknod",
  "mount",
  "sh",
  "sleep",
  "tar",
] as const

const control = `/dev/vport0p${guestPorts.control}`

/**
 * The first process of the guest: makes the root that the command sees, and becomes the agent. Everything until the agent
 * says READY is the same for every run, and is what a snapshot keeps.
 */
export const initScript = `#!/bin/sh
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
exec /bin/perl /agent $shell $stdout $stderr
`
