/** Ports of the serial device, by the number that the machine gives them. */
export const guestPorts = { control: 1, stdout: 2, stderr: 3, network: 4 } as const

/** Where programs of the guest find the way to the hosts that were granted; as in the sandbox of commands. */
const listensAt = { address: "127,0,0,1", port: 3128 }

/** The user of the relay: not the command's, which must not speak on the port in its place. */
const relayUser = 1001

/**
 * The relay of a guest, in the agent's Perl: accepts connections of the command on 127.0.0.1:3128 and carries each as a stream of
 * numbered frames over the serial port, as the relay of a sandbox does over its descriptor (`proxy/relay-source.ts` of the host).
 * It decides nothing. A frame is number (4 bytes), kind (1), length (4), content.
 */
export const relayFunctions = `
# Writes a byte to the pipe once connections are accepted; comes back only when something failed.
sub relay {
  my ($ready) = @_;
  # O_RDWR and O_NONBLOCK
  sysopen(my $port, "/dev/vport0p${guestPorts.network}", 2 | 2048) or return;
  socket(my $server, 2, 1, 0) or return;
  bind($server, pack("S n C4 x8", 2, ${listensAt.port}, ${listensAt.address})) && listen($server, 128) or return;
  confine("/", "/", ${relayUser}) or return;
  $SIG{PIPE} = "IGNORE";
  syswrite($ready, "x") && close($ready) or return;
  my $relay = { port => $port, server => $server, streams => {}, last => 0, in => "", out => "" };
  carry($relay) while 1;
}

# One turn of the loop: what can be read and written now.
sub carry {
  my ($relay) = @_;
  my ($streams, $readable, $writable) = ($relay->{streams}, "", "");
  vec($readable, fileno $relay->{port}, 1) = 1;
  vec($readable, fileno $relay->{server}, 1) = 1 if keys(%$streams) < 900;
  vec($writable, fileno $relay->{port}, 1) = 1 if length $relay->{out};
  for my $stream (values %$streams) {
    my $wants = !$stream->{ended} && $stream->{credit} > 0 && length($relay->{out}) < 262144;
    vec($readable, fileno $stream->{socket}, 1) = 1 if $wants;
    vec($writable, fileno $stream->{socket}, 1) = 1 if length $stream->{out};
  }
  return if select($readable, $writable, undef, undef) < 0;
  take_frames($relay) if vec($readable, fileno $relay->{port}, 1);
  if (vec($writable, fileno $relay->{port}, 1)) {
    my $written = syswrite($relay->{port}, $relay->{out}, 65536);
    substr($relay->{out}, 0, $written, "") if defined $written;
  }
  for my $id (keys %$streams) {
    my $stream = $streams->{$id} or next;
    my $number = fileno $stream->{socket};
    write_stream($relay, $id) if vec($writable, $number, 1);
    read_stream($relay, $id) if $streams->{$id} && vec($readable, $number, 1);
  }
  accept_stream($relay) if vec($readable, fileno $relay->{server}, 1);
}

sub frame { my ($relay, $id, $kind, $body) = @_; $relay->{out} .= pack("NCN", $id, $kind, length $body) . $body }

sub accept_stream {
  my ($relay) = @_;
  accept(my $socket, $relay->{server}) or return;
  # F_SETFL with O_NONBLOCK; TCP_NODELAY
  fcntl($socket, 4, 2048);
  setsockopt($socket, 6, 1, pack("i", 1));
  my $id = ++$relay->{last};
  $relay->{streams}{$id} = { socket => $socket, credit => 262144, out => "", ended => 0, closing => 0 };
  frame($relay, $id, 1, "");
}

# What the host says about streams: content, end, reset, and how much more it takes.
sub take_frames {
  my ($relay) = @_;
  my $read = sysread($relay->{port}, $relay->{in}, 65536, length $relay->{in});
  # EAGAIN; the host never closes before the machine ends.
  if (!$read) { select(undef, undef, undef, 0.02); return }
  while (length($relay->{in}) >= 9) {
    my ($id, $kind, $length) = unpack("NCN", $relay->{in});
    last if length($relay->{in}) < 9 + $length;
    my $body = substr($relay->{in}, 9, $length);
    substr($relay->{in}, 0, 9 + $length, "");
    my $stream = $relay->{streams}{$id} or next;
    if ($kind == 2) { $stream->{out} .= $body }
    elsif ($kind == 4) { delete $relay->{streams}{$id} }
    elsif ($kind == 5) { $stream->{credit} += unpack("N", $body) }
    elsif ($kind == 3) { $stream->{closing} = 1; finish_stream($relay, $id) }
  }
}

sub write_stream {
  my ($relay, $id) = @_;
  my $stream = $relay->{streams}{$id};
  my $written = syswrite($stream->{socket}, $stream->{out}, 65536);
  if (!defined $written) { drop_stream($relay, $id) unless $! == 11; return }
  substr($stream->{out}, 0, $written, "");
  frame($relay, $id, 5, pack("N", $written));
  finish_stream($relay, $id);
}

sub read_stream {
  my ($relay, $id) = @_;
  my $stream = $relay->{streams}{$id};
  my $read = sysread($stream->{socket}, my $content, 65536);
  if (!defined $read) { drop_stream($relay, $id) unless $! == 11; return }
  if ($read > 0) { $stream->{credit} -= $read; frame($relay, $id, 2, $content); return }
  $stream->{ended} = 1;
  frame($relay, $id, 3, "");
  finish_stream($relay, $id);
}

# Both sides may end apart; when both have, the stream is gone.
sub finish_stream {
  my ($relay, $id) = @_;
  my $stream = $relay->{streams}{$id};
  return if !$stream->{closing} || length $stream->{out};
  shutdown($stream->{socket}, 1);
  drop_stream($relay, $id) if $stream->{ended};
}

sub drop_stream { my ($relay, $id) = @_; delete $relay->{streams}{$id}; frame($relay, $id, 4, "") }
`
