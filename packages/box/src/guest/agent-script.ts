import { guestPorts, relayFunctions } from "./relay-script.js"

/** The user and group that commands run as in the guest. */
export const guestUser = 1000

// struct timespec, then struct rand_pool_info with 32 bytes
const timeBytes = 16
const blockBytes = timeBytes + 8 + 32

/** What the agent sets the clock and the random generator from: this time and these 32 random bytes. */
export function seedBlock(nowMs: number, random: Uint8Array): Uint8Array {
  const block = new Uint8Array(blockBytes)
  const view = new DataView(block.buffer)
  view.setBigInt64(0, BigInt(Math.floor(nowMs / 1000)), true)
  view.setBigInt64(8, BigInt((nowMs % 1000) * 1_000_000), true)
  view.setInt32(timeBytes, random.length * 8, true)
  view.setInt32(timeBytes + 4, random.length, true)
  block.set(random, timeBytes + 8)
  return block
}

/** The system calls that need more than a shell, by their numbers on x86-64. Each function is true when all went well. */
export const guestFunctions = `
# clock_settime, RNDADDENTROPY, RNDRESEEDCRNG. Writing to the device alone would leave two restores of one snapshot with
# equal random bytes.
sub seed {
  my ($block) = @_;
  return 0 if length $block != ${blockBytes};
  my ($time, $pool) = (substr($block, 0, ${timeBytes}), substr($block, ${timeBytes}));
  syscall(227, 0, $time) == 0 or return 0;
  sysopen(my $random, "/dev/urandom", 1) or return 0;
  return ioctl($random, 0x40085203, $pool) && ioctl($random, 0x5207, 0);
}

# setrlimit
sub limit { return syscall(160, $_[0], pack("QQ", $_[1], $_[1])) == 0 }

# Goes into a root and gives up every privilege for good: an empty bounding set, no new privileges, no groups, an ordinary
# user. The kernel clears the effective capabilities with the change of user.
sub confine {
  my ($root, $directory, $user) = @_;
  $user //= ${guestUser};
  chroot($root) && chdir($directory) or return 0;
  for my $capability (0 .. 63) {
    # Every kernel that an image may have knows the first 38; numbers above may be unknown to it.
    my $result = syscall(157, 24, $capability, 0, 0, 0);
    return 0 if $result != 0 && $capability < 38;
  }
  return syscall(157, 38, 1, 0, 0, 0) == 0 && syscall(116, 0, 0) == 0
    && syscall(119, $user, $user, $user) == 0 && syscall(117, $user, $user, $user) == 0;
}
`

/**
 * Runs the only command of a guest: `perl agent SHELL READER ...`, where the readers are the processes that hand
 * its output on. It says READY, waits for one line, sets clock and random generator, unpacks the job, runs the command
 * as an ordinary user and reports its exit code. Perl, because no other program of Debian makes all of these system calls;
 * without its modules, because only the program itself is in the initial file system (decision 037).
 */
export const agentScript = `${guestFunctions}${relayFunctions}
my ($shell, @readers) = @ARGV;
sysopen(my $control, "/dev/vport0p${guestPorts.control}", 2) or exit 1;
sub say_to_host { syswrite($control, "$_[0]\\n") }
say_to_host("READY");

my $line = "";
while (index($line, "\\n") < 0) { sysread($control, $line, 4096, length $line) or exit 1 }
my ($word, $nonce, $seed) = split /[ \\n]/, $line;
exit 1 if $word ne "GO";
sub fail { say_to_host("FAILED $nonce $_[0]"); sleep 1000 while 1 }
seed(pack("H*", $seed)) or fail("seed");
# Unpacking happens inside the root, so that links of the image lead nowhere else.
system("chroot /root /run/.unpack/busybox tar -xf - < /dev/vdb") == 0 or fail("unpack");
# A job that may reach hosts brings the variables that lead programs to them.
my @variables = ();
if (open(my $environment, "<", "/root/run/box/environment")) {
  local $/;
  @variables = map { split /=/, $_, 2 } split /\0/, readline($environment);
  start_relay() or fail("network");
}
# Closed by the kernel when the command takes the place of this script; what is written there says that it did not.
pipe(my $started, my $broken) or fail("pipe");
my $command = fork() // fail("fork");
if ($command == 0) {
  eval { become_command() };
  syswrite($broken, "x");
  exit 1;
}
close $broken;
sysread($started, my $problem, 1) and fail("start");
say_to_host("STARTED $nonce");
waitpid($command, 0);
my $code = $? & 127 ? 128 + ($? & 127) : $? >> 8;

# Whatever the command left running ends here; then the pipes end, and with them their readers.
my $killer = fork() // fail("fork");
if ($killer == 0) {
  close $control;
  confine("/", "/") or exit 1;
  syscall(62, -1, 9);
  exit 0;
}
waitpid($_, 0) for ($killer, @readers);
say_to_host("EXIT $nonce $code");
sleep 1000 while 1;

sub start_relay {
  pipe(my $ready, my $says) or return 0;
  my $relay = fork() // return 0;
  if ($relay == 0) {
    close $control;
    close $ready;
    relay($says);
    exit 1;
  }
  close $says;
  return sysread($ready, my $byte, 1);
}

# Comes back only when something failed.
sub become_command {
  close $control;
  open(STDIN, "<", "/dev/null") && open(STDOUT, ">", "/io/stdout") && open(STDERR, ">", "/io/stderr") or return;
  # When memory runs out, the command goes and not this script.
  open(SCORE, ">", "/proc/self/oom_score_adj") && syswrite(SCORE, "1000") or return;
  limit(4, 0) && limit(6, 512) or return;
  %ENV = (
    PATH => "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", HOME => "/home/box", USER => "box",
    LOGNAME => "box", SHELL => $shell, LANG => "C.UTF-8", TERM => "dumb", @variables,
  );
  confine("/root", "/work") or return;
  exec { $shell } $shell, "/run/box/command";
}
`
