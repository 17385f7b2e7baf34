import { waitUntilAdmitted } from "../limits/admission-gate.js"
import { superviseCommand } from "../supervising-shell.js"

// Where the first process is told to begin, and tells what the command left; the command does not get it.
const leftDescriptor = 4

/**
 * Builds the view from the arguments it is given and then runs the rest of them. Every value is an argument; this text is
 * always the same, but for how many processes beside the command are the sandbox's own. It is the first process of its own
 * process tree, with every right inside the namespaces and none outside; the command it starts gives up all of them. At
 * the end it forgets its arguments, which the command could see. Its variables have names of their own: one that came with
 * the environment goes on to the command as it was. That is so for the search path too, which is not where its own
 * programs are looked for: those of an ordinary user do not name the folder of `pivot_root`, and a search path without
 * any folder means the current one. It makes nothing for what was there when the view was planned: where a folder was
 * exchanged for a link meanwhile, that would be made on the host.
 */
export const buildScript = (company: number): string => `
haft_path=$PATH PATH=$1; shift
folder() { [ -d "$1" ] || mkdir -p "$1"; }
fail() { echo "haft-sandbox: $1" >&2; exit 125; }
place() { if [ -d "$1" ]; then folder "$2"; else [ -e "$2" ] || { mkdir -p "\${2%/*}" && : > "$2"; }; fi; }
bind() { [ -e "$1" ] && place "$1" "$haft_root$2" && mount -n -o "rbind$3" "$1" "$haft_root$2"; }
memory() { folder "$haft_root$3" && mount -n -t tmpfs -o "mode=$1,size=$2" tmpfs "$haft_root$3"; }
devices() {
  memory 755 65536 "$1" && for haft_name in null zero full random urandom tty; do bind "/dev/$haft_name" "$1/$haft_name" || return 1; done
  ln -s /proc/self/fd "$haft_root$1/fd" && ln -s fd/0 "$haft_root$1/stdin" && ln -s fd/1 "$haft_root$1/stdout" && ln -s fd/2 "$haft_root$1/stderr"
  mkdir "$haft_root$1/pts" && mount -n -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$haft_root$1/pts" && ln -s pts/ptmx "$haft_root$1/ptmx"
}
umask 022
haft_root=$1; shift
mount -n -t tmpfs -o mode=755 tmpfs "$haft_root" || fail "a root in memory was refused"
while [ "$1" != -- ]; do
  case $1 in
    existing) [ -e "$haft_root$2" ] || fail "$2 is gone"; shift 2 ;;
    bind) bind "$2" "$3" "$4" || fail "$3 could not be bound"; shift 4 ;;
    memory) memory "$2" "$3" "$4" || fail "$4 could not be made"; shift 4 ;;
    link) folder "$haft_root\${3%/*}" && ln -s "$2" "$haft_root$3" || fail "$3 could not be linked"; shift 3 ;;
    processes) folder "$haft_root$2" && mount -n -t proc proc "$haft_root$2" || fail "a process table was refused"; shift 2 ;;
    devices) devices "$2" || fail "devices could not be bound"; shift 2 ;;
    held) [ "$haft_root$2" -ef "/proc/self/fd/$3" ] || fail "$2 was exchanged"; eval "exec $3<&-"; shift 3 ;;
    protect) mount -n -o "remount,bind,ro$2" "$haft_root$3" || fail "$3 could not be made read-only"; shift 3 ;;
    *) fail "there is no step $1" ;;
  esac
done
shift
haft_ip=$1 haft_directory=$2; shift 2
[ -z "$haft_ip" ] || "$haft_ip" link set lo up 2>/dev/null
cd "$haft_root" && pivot_root . . && umount -l . && cd / || fail "the root could not be changed"
cd "$haft_directory" || fail "$haft_directory is not in the view"
${waitUntilAdmitted(leftDescriptor)}
PATH=$haft_path
exec /bin/sh -c '${superviseCommand({ descriptor: leftDescriptor, company })}' sh "$@"
`
