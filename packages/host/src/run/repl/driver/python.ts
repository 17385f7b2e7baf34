import { channelDescriptor } from "./channel.js"

/**
 * Evaluates pieces of Python in one namespace. Like an interactive prompt it shows the value of a last expression.
 * A piece arrives as `nonce NUL code NUL` and is answered with `nonce status`.
 */
export const pythonDriver = String.raw`
import ast, linecache, os, signal, sys, traceback

channel = ${channelDescriptor}
os.set_inheritable(channel, False)
scope = {"__name__": "__main__", "__builtins__": __builtins__}
state = {"running": False, "count": 0}

def interrupted(number, frame):
    if state["running"]:
        raise KeyboardInterrupt

signal.signal(signal.SIGINT, interrupted)

def pieces():
    pending = b""
    while True:
        parts = pending.split(b"\0", 2)
        if len(parts) == 3:
            pending = parts[2]
            yield parts[0], parts[1].decode("utf-8", "replace")
            continue
        more = os.read(channel, 65536)
        if not more:
            return
        pending += more

def evaluate(code):
    state["count"] += 1
    name = "<code %d>" % state["count"]
    linecache.cache[name] = (len(code), None, code.splitlines(True), name)
    try:
        tree = ast.parse(code, name)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, name, "exec"), scope)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), name, "eval"), scope)
            if value is not None:
                scope["_"] = value
                print(repr(value))
        return 0
    except SystemExit as end:
        if end.code is None:
            return 0
        if isinstance(end.code, int):
            return end.code & 255
        print(end.code, file=sys.stderr)
        return 1
    except BaseException as error:
        frames = error.__traceback__
        while frames is not None and frames.tb_frame.f_code.co_filename == "<string>":
            frames = frames.tb_next
        traceback.print_exception(type(error), error, frames)
        return 1

def flush():
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass

os.write(channel, b"ready\n")
for nonce, code in pieces():
    status = 1
    try:
        state["running"] = True
        status = evaluate(code)
        state["running"] = False
    except KeyboardInterrupt:
        pass
    finally:
        state["running"] = False
    flush()
    os.write(channel, nonce + b" %d\n" % status)
`
