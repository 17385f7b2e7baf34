import type { Waits } from "./conformance-page.js"

/** A point of the conformance list. What no test shows has a reason, or what it waits for. */
export interface Point {
  readonly number: number
  readonly statement: string
  readonly waits?: Waits
  /** Why no test shows it, or what a test does not show. */
  readonly note?: string
}

/** The conformance list, by its parts. */
export const points: Readonly<Record<string, readonly Point[]>> = {
  "Tool contract and registration": [
    { number: 1, statement: "Every tool publishes a stable id reused across agents and sessions" },
    { number: 2, statement: "Every tool publishes a prose description for the model" },
    { number: 3, statement: "Every tool publishes JSON-Schema parameters" },
    { number: 4, statement: "Every tool publishes a requires set at registration, even if empty" },
    { number: 5, statement: "Every tool exposes execute(args, runtime)" },
    { number: 6, statement: "Built-in, agent-specific, MCP and plugin tools obey one contract" },
    { number: 7, statement: "Parameters are validated before execute runs" },
    { number: 8, statement: "A schema failure becomes a tool error carrying the validator message; it does not throw" },
    { number: 9, statement: "Side effects go only through the typed runtime, never straight to fs, network or shell" },
    { number: 10, statement: "Every result uses the uniform envelope" },
    { number: 11, statement: "metadata always carries duration_ms" },
    { number: 12, statement: "On session abort an in-flight tool stops and returns an error or partial result" },
    { number: 13, statement: "The declared requirement set = union of manifest requires and all tools' requires" },
    { number: 14, statement: "The effective grant = host/user ceiling ∩ parent-delegable ∩ declared" },
    { number: 15, statement: "A tool whose requirements exceed the grant is withheld or fails closed" },
    { number: 16, statement: "A manifest declaration never widens the sandbox" },
    { number: 17, statement: 'Top-level agents get their "parent" grant from the host, not ambient host power' },
  ],
  "Locked set": [
    {
      number: 18,
      statement: "An implementation advertising the locked profile ships all 13 ids",
      note: "`task` comes with the agent: twelve of the thirteen are there",
    },
    { number: 19, statement: "A locked id is not redefined with a richer shape" },
    { number: 20, statement: "Richer behaviour lives in MCP, plugin or agent-specific tools" },
    {
      number: 21,
      statement: "edit is plain string replacement; bash is one command; web_search is query+results; task is one call",
    },
    {
      number: 22,
      statement:
        "glob / listing returns entries for an explicit path or pattern, marks truncation, never implies a partial list is complete",
    },
    { number: 23, statement: "A host on a real fs may omit whole-index listing; then it documents the choice" },
  ],
  "Filesystem mutation": [
    { number: 24, statement: "edit reads the current content inside the same invocation" },
    { number: 25, statement: "Missing match = conflict result, file unchanged" },
    { number: 26, statement: "Ambiguous match = conflict result, file unchanged" },
    {
      number: 27,
      statement:
        "Correctness does not depend on a session ledger of earlier reads; an agent may edit what it just wrote",
    },
    { number: 28, statement: "Use an atomic or conditional write where the backend has one" },
    { number: 29, statement: "Otherwise serialise own same-path mutations and do not claim cross-process atomicity" },
    { number: 30, statement: "write is used only for whole-file replacement" },
    { number: 31, statement: "A text size bound is allowed; M then the same bound governs read, write and edit" },
    { number: 32, statement: 'Oversize is an explicit typed size failure, not "not found"' },
  ],
  question: [
    { number: 33, statement: "question is the only locked tool that pauses the run on a human" },
    { number: 34, statement: "The loop suspends until the host returns answers" },
    { number: 35, statement: "Headless hosts answer with a tool error of fixed text" },
    {
      number: 36,
      statement: "The tool stays registered on headless hosts so the model's mental model is the same everywhere",
    },
    { number: 37, statement: "Ordinary user text is not an answer; only the correlated result resumes the turn" },
    {
      number: 38,
      statement:
        "One continuation request resolves exactly one pending block; a payload with several answers is rejected before any change",
    },
  ],
  web_search: [
    { number: 39, statement: "Cap calls per session (default 25)" },
    { number: 40, statement: "Time out each call (default 15 s) with a tool error" },
    { number: 41, statement: "Provider choice stable per session (hash of session id)" },
    { number: 42, statement: "One input and one output shape across providers" },
  ],
  Truncation: [
    { number: 43, statement: "Runtime applies a per-tool output maximum" },
    {
      number: 44,
      statement: "Overflow goes to a sidecar file; the result carries head, truncated=true and output_path",
    },
    { number: 45, statement: "Sidecars live in the per-session working directory and are deleted at session close" },
    { number: 46, statement: "The shape (head + output_path) is fixed; limits are tunable" },
    { number: 47, statement: "The model can call read on output_path" },
    { number: 48, statement: "Large reads use byte ranges instead of the truncation path" },
  ],
  "Capability patterns": [
    { number: 49, statement: "Path and host patterns support the standard variables" },
    { number: 50, statement: "Empty variable expansion = empty scope; calls fail closed" },
    { number: 51, statement: "Undefined variable = throw at manifest compile time" },
    {
      number: 52,
      statement:
        "Shell requirement matching: cmd = executable name, args = ordered patterns (exact, one wildcard, prefix)",
    },
  ],
  Permissions: [
    { number: 53, statement: "Rules are (permission, pattern, action); permission = tool id, capability name or *" },
    { number: 54, statement: "Default action is ask" },
    { number: 55, statement: "Patterns support glob and prefix matching" },
    {
      number: 56,
      statement:
        "Three scopes: manifest (immutable), session (stored on the session row), project (stored elsewhere by the host)",
    },
    { number: 57, statement: "Most specific matching rule wins" },
    { number: 58, statement: "A manifest deny/pin cannot become allow through session or project rules" },
    { number: 59, statement: '"always for this session" is stored as a session rule; "always" as a project rule' },
    {
      number: 60,
      statement:
        "Only session-scope rules live in permissions_json; the four field names permission, pattern, action, source are normative",
    },
    { number: 61, statement: "Session and project scope are stored separately" },
    { number: 62, statement: "Layers may be flattened into one ranked ruleset at evaluation time" },
    { number: 63, statement: "Headless: ask = deny; the system never invents answers" },
    { number: 64, statement: "A persisted directory reference in a message mints no authority" },
    {
      number: 65,
      statement: "Forks copy messages but not session permissions or reference grants",
      note: "Shown for imports; forks come with the agent",
    },
  ],
  Watchdog: [
    { number: 66, statement: "Runs before execute on every tool call, in every environment" },
    { number: 67, statement: "Sees tool id, validated args, manifest, session id" },
    { number: 68, statement: "Returns allow, deny(reason) or ask; deny reason goes to the model as a tool error" },
    { number: 69, statement: "ask offers once / always / reject and exists only with a human" },
    { number: 70, statement: "Capability check runs before the watchdog" },
    {
      number: 71,
      statement: "The watchdog can refuse what requires allowed; it can never permit what requires refused",
    },
    { number: 72, statement: "A change in one layer (capability, watchdog, sandbox) needs no change in the others" },
    {
      number: 73,
      statement:
        "Reference bash policy: allow read-only commands, ask for writes outside the root, downloads and privileged commands, deny destructive system paths",
    },
  ],
  "Execution authority": [
    {
      number: 74,
      statement:
        "Separate logical authority paths for host services, structured capabilities, extension runtimes and raw execution",
    },
    {
      number: 75,
      statement:
        "Principals whose union would break a contract are put in separate compartments; labels in one process are not isolation",
    },
    {
      number: 76,
      statement: "A process-wide agent allow-list is not the network policy of host services, nor the reverse",
    },
    {
      number: 77,
      statement:
        "Authorised connections use the host's effective route (proxy, PAC, VPN, DNS, trust store); a route is not a grant",
      note: "The proxy of the user's configuration looks names up itself: a name is judged by the rules and not by its address; addresses that are not public never go through it. Proxy auto-configuration files are not read",
    },
    {
      number: 78,
      statement: "No silent proxy bypass; either a reviewed credential ceremony or fail closed with a diagnostic",
    },
    {
      number: 79,
      statement:
        "Every model-invocable in-process operation is a structured capability with schema and scope checks before effects",
    },
    {
      number: 80,
      statement:
        "The host keeps a coarse containment envelope (sensitive reads denied, writes limited to workspaces, host state, scratch)",
    },
    { number: 81, statement: "No model-selectable raw process launcher outside confinement" },
    {
      number: 82,
      statement:
        "Every raw process tree runs in execution confinement with an immutable authority set known before start",
    },
    { number: 83, statement: "An external agent with its own loop counts as raw execution for its whole process tree" },
    {
      number: 84,
      statement: "Authority is bound to a principal by an opaque host-issued grant, never caller-supplied",
    },
    { number: 85, statement: "Changing one grant does not widen another running principal" },
    {
      number: 86,
      statement: "Credentials, endpoint grants and user-presence permissions are non-delegable by default",
    },
    {
      number: 87,
      statement:
        "Destination authorisation precedes routing; every redirect or hop is re-authorised; cross-origin redirects strip credentials",
    },
    {
      number: 88,
      statement:
        "A destination grant binds scheme, host, port; loopback, link-local and private targets need an explicit grant; resolved addresses are pinned",
      note: "Shown for host, port and address; the scheme is not part of a grant",
    },
    {
      number: 89,
      statement:
        "No generic URL-and-headers broker for the model; a web_fetch may take a model URL only if every hop is canonicalised and checked",
      note: "`web_fetch` takes an address from the model and every hop of it is judged (point 87). `http_request` also takes headers: each method and host is asked about, mode auto never answers for it, and no default toolset offers it",
    },
    {
      number: 90,
      statement: "Extension install, enable, egress and tool invocation are four separate grants; install runs no code",
      waits: "doors",
    },
    {
      number: 91,
      statement: "Durable credentials stay with their owner; intermediaries do not persist, log or inspect tokens",
    },
    {
      number: 92,
      statement: "If the platform cannot enforce confinement, withhold raw execution",
      note: "Shown for commands; file tools do not depend on the sandbox of commands, their containment is in the ports",
    },
    {
      number: 93,
      statement:
        "Demonstrate the ten authority scenarios (inference independent of shell grants, route honoured, honest transport trust, file-tool defence in depth, shell confined, allowed egress routed and disallowed rejected before send, redirects cannot widen, extension grants separate, parallel principals do not bleed, unsupported fails closed)",
      note: "Inference and extensions come with the agent and the doors",
    },
  ],
  Environments: [
    {
      number: 94,
      statement:
        "Cloud: writable mounts match the fs scope; egress policy enforces net scope; mount, raw socket, ptrace denied",
    },
    {
      number: 95,
      statement:
        "Cloud: session store outside the container, one container per session, time bound, snapshot at user messages if world-rewind is needed",
      note: "Who runs Haft in a cloud decides it; the store may be outside the container (`storage.journal` takes a postgres:// URL)",
    },
    { number: 96, statement: "Web hosts treat sessions as ephemeral unless synced", waits: "workbench" },
    { number: 97, statement: "Subagents run in the parent's environment", waits: "agent" },
    {
      number: 98,
      statement: "The capability surface is the contract in all environments",
      note: "There is one environment, the computer: nothing can be compared yet",
    },
    {
      number: 99,
      statement:
        "Computer: host containment for structured tools and an attributable OS sandbox per raw process tree; the two roles share no mutable authority",
    },
  ],
  "Sessions, streaming, abort": [
    {
      number: 100,
      statement:
        "Messages are append-only; parts are upserted; tool parts keyed by tool_call_id move input-streaming -> input-available -> output-available/error",
    },
    {
      number: 101,
      statement: "text-delta only after text-start; joining a stream replays from index 0",
      waits: "agent",
    },
    {
      number: 102,
      statement: "Usage is taken from the per-step callback only; input = inputTokens - cache_read - cache_write",
      waits: "agent",
    },
    { number: 103, statement: "No hard-coded pricing in the recorder; cost is derived", waits: "agent" },
    {
      number: 104,
      statement: "Core is transport-agnostic; host does not know the producer; renderer does not know the recorder",
      waits: "agent",
    },
    {
      number: 105,
      statement: "Renderer disconnect does not cancel the model call; only an explicit abort does",
      waits: "agent",
    },
    { number: 106, statement: "A reconnect endpoint replays the chunk log then live-tails", waits: "agent" },
    {
      number: 107,
      statement:
        "After a host restart every orphaned non-human tool call is closed with a tool error before the next run",
    },
    { number: 108, statement: "Multi-replica deployments replace the in-memory registry with pub/sub", waits: "agent" },
    {
      number: 109,
      statement: "The user can abort; one AbortSignal reaches the model call and every execute",
      waits: "agent",
    },
    {
      number: 110,
      statement: "Aborting a parent aborts all its subagents; their call returns an aborted-by-parent error",
      waits: "agent",
    },
    { number: 111, statement: "One run per session; later messages are queued, not rejected", waits: "agent" },
    { number: 112, statement: "Ordinary text during a human wait is queued behind it", waits: "agent" },
    { number: 113, statement: "Approval beats user-input when both are open (scalar status)", waits: "agent" },
    {
      number: 114,
      statement:
        "Resolve an interaction as a late commit; match, persist, then conditional write plus turn reservation without gap",
      waits: "agent",
    },
    { number: 115, statement: "Clients use the reported message_id, never guess the fired message", waits: "agent" },
    {
      number: 116,
      statement:
        "Rewind targets a user message, soft-hides later messages, keeps them; side effects are not undone; hosts may attach snapshot_id",
      waits: "agent",
    },
    {
      number: 117,
      statement:
        "Fork; reject while running; copy non-hidden messages with new ids up to the point; recompute rollups; merge metadata",
      waits: "agent",
    },
    {
      number: 118,
      statement:
        "Compaction exists; fires when used >= context_limit - reserve (reserve default min(20k, max_output)); per-model",
      waits: "agent",
    },
    {
      number: 119,
      statement:
        "Compaction hides nothing in the log; the model view is resolved from the latest marker's tail_start_id; project instructions are never compacted",
      waits: "agent",
    },
    {
      number: 120,
      statement:
        "Summariser: cheapest model, low temperature, output cap, short timeout, no tools, mode subagent, not inspectable",
      waits: "agent",
    },
    {
      number: 121,
      statement:
        "Prune large finished tool outputs first (keep input + stub), at compaction boundaries so the cache prefix stays stable",
      waits: "agent",
    },
    {
      number: 122,
      statement: "Model is per message; a switch to a smaller context forces compaction or fails with advice",
      waits: "agent",
    },
    {
      number: 123,
      statement:
        "System prompt order: manifest prompt, project instructions, skill index, environment context, tool catalog. No shuffling",
    },
  ],
  Subagents: [
    {
      number: 124,
      statement: "Every manifest declares mode primary | subagent | all; only subagent/all are callable by task",
      waits: "agent",
    },
    { number: 125, statement: "Unknown subagent_type = tool error", waits: "agent" },
    {
      number: 126,
      statement:
        "child = host ceiling ∩ parent delegable ∩ child requirements; a parent deny is unconditional; a child is never looser",
      waits: "agent",
    },
    { number: 127, statement: "Grandchildren inherit from the child, not the grandparent", waits: "agent" },
    { number: 128, statement: "Child session row carries parent_id and parent_message_id", waits: "agent" },
    { number: 129, statement: "Same loop code, parent's workspace root", waits: "agent" },
    {
      number: 130,
      statement: "Depth limit (default 5), blocking and background counted alike; hitting it = tool error",
      waits: "agent",
    },
    {
      number: 131,
      statement:
        "background:true returns a handle and later injects a synthetic assistant message; on host restart inject the failure variant",
      waits: "agent",
    },
    { number: 132, statement: "Background children share the parent's abort signal", waits: "agent" },
    {
      number: 133,
      statement:
        "inspectable false (default): transcript nested in the task output; true: own session row and the result is a pointer",
      waits: "agent",
    },
    {
      number: 134,
      statement: 'caller:"agent" adds one system-prompt line asking for structured output',
      waits: "agent",
    },
    { number: 135, statement: "plan/build is host pattern; exit-plan tool stays out of the lock" },
  ],
  "Skills and project instructions": [
    { number: 136, statement: "Pick at least one of AGENTS.md / CLAUDE.md / CONTEXT.md; S honour all three" },
    { number: 137, statement: "Walk upward from the root; user-level file outermost; concatenate nearest last" },
    { number: 138, statement: "Cap at about 8k tokens with a warning and truncated head" },
    { number: 139, statement: "Discover project instructions before skills at every session start" },
    {
      number: 140,
      statement:
        "Skills from at least project and user paths (`.agents/skills`, `.claude/skills`, `~/...`), then bundled, config paths, remote URLs",
    },
    {
      number: 141,
      statement: "Index static per session; only name + one-line description in the prompt, never bodies",
    },
    {
      number: 142,
      statement: "Body loads only through skill(name); cached per session; second call returns the cached body",
    },
    { number: 143, statement: "Description answers when to use it, in one line" },
    { number: 144, statement: "Loaded body is wrapped in a stable marker" },
  ],
  MCP: [
    {
      number: 145,
      statement:
        "Config lives in the host, not the manifest; enablement and egress changes come only from the user-control path",
      waits: "agent",
    },
    { number: 146, statement: "No eager loading of all servers' tools; S connect lazily", waits: "agent" },
    {
      number: 147,
      statement:
        "Ids are always prefixed `<client>_<tool>`, sanitised to letters, digits, underscore, before they reach prompt or index",
      waits: "agent",
    },
    {
      number: 148,
      statement:
        "Above the threshold (20 total) switch to search-then-call: locked and agent tools stay in the prompt, MCP tools live in an index",
    },
    { number: 149, statement: "Score by BM25/keyword over descriptions; up to 10 matches" },
    { number: 150, statement: "Matched tools are registered for the rest of the conversation" },
    {
      number: 151,
      statement: "Runtime validates MCP input against the published schema, truncates output, wraps errors",
      waits: "agent",
    },
    {
      number: 152,
      statement: "Never log tokens or auth headers; S sanitise auth errors for the model",
      waits: "agent",
    },
    { number: 153, statement: "OAuth: refresh on 401 and retry once", waits: "agent" },
    { number: 154, statement: "Disconnect", waits: "agent" },
    {
      number: 155,
      statement: "On tool-list change re-fetch; the running turn keeps its list; the model is not told",
      waits: "agent",
    },
    {
      number: 156,
      statement: "Servers untrusted by default; writes, side effects and shell via MCP = ask; process egress denied",
      waits: "agent",
    },
    { number: 157, statement: "Trust profiles like `mcp:<server>:<tool>` patterns are expressible", waits: "agent" },
    {
      number: 158,
      statement: "Servers avoid locked names; M descriptions carry no secrets and no side effects on load",
      waits: "agent",
    },
  ],
  ACP: [
    { number: 159, statement: "Adapter translates, keeps no state of its own, does not buffer", waits: "doors" },
    { number: 160, statement: "camelCase keys on the wire, snake_case inside; neither leaks across", waits: "doors" },
    {
      number: 161,
      statement:
        "session/cancel = abort; session/load replays the DB; session/resume attaches without replay; session/close drops the handle only",
      waits: "doors",
    },
    {
      number: 162,
      statement:
        "Watchdog ask = request_permission; allow/deny outcomes emit nothing; allow_always / reject_always become session rules",
      waits: "doors",
    },
    {
      number: 163,
      statement: "fs and terminal may be delegated to the client; capability checks and watchdog still run",
      waits: "doors",
    },
  ],
  "Persistency, debugging, replay": [
    {
      number: 164,
      statement:
        "User message persisted before it reaches the model; assistant row created lazily on first chunk; parts upserted per chunk by default",
    },
    { number: 165, statement: "No JSON field is promoted to a column without a migration" },
    { number: 166, statement: "Session lists hide archived rows by default and can include them" },
    { number: 167, statement: "Other id schemes keep insertion order sort" },
    {
      number: 168,
      statement:
        "Session expressible in the canonical JSON {session, messages[{message, parts[]}]}; at least one non-DB export (JSONL: lines typed session, message, part)",
    },
    {
      number: 169,
      statement:
        "Inspection shows timeline, per-turn tokens, cost, system prompt, model+variant, tool catalog, active permission state",
      waits: "workbench",
    },
    {
      number: 170,
      statement: "Persist the assembled prompt or its SHA-256 + body table, or document the loss",
      waits: "workbench",
    },
    { number: 171, statement: "Replay needs reconstructible inputs, not deterministic output" },
    {
      number: 172,
      statement: "Emit spans session.run, session.turn, tool.call, compaction.run, permission.evaluate",
      waits: "agent",
    },
    { number: 173, statement: "Support session diff by turn", waits: "agent" },
  ],
  "Queue, turn authority, events, triggers": [
    {
      number: 174,
      statement:
        "idle->busy is atomic; earliest queued_at first, deterministic ties; one FIFO for humans and triggers; no preemption",
      waits: "agent",
    },
    {
      number: 175,
      statement: "Hard error pauses the drain; a blocked turn pauses the drain; abort drains",
      waits: "agent",
    },
    {
      number: 176,
      statement:
        "Cancel and fire are conditional on the same row; exactly one wins; enqueue idempotent by (session, id, payload); canceled enqueue keeps a tombstone",
      waits: "agent",
    },
    {
      number: 177,
      statement: "Queue recoverable from messages alone; UI keeps no private source-of-truth queue",
      waits: "agent",
    },
    {
      number: 178,
      statement: "Events turn-started, turn-finished{reason finish|abort|error, pending_approval}, approval-requested",
      waits: "agent",
    },
    {
      number: 179,
      statement:
        "Triggered turns are user messages with metadata.trigger; delivery_id dedup; watchdog applies; ask=deny when nobody is present; auth_subject stored",
      waits: "agent",
    },
    {
      number: 180,
      statement:
        "Self-scheduling only via request_wakeup/cancel_wakeup (not locked); horizon default 7 days; session delete cascades",
      waits: "agent",
    },
    { number: 181, statement: "Triggers have TTL (7 days), throttle, account quota", waits: "agent" },
  ],
  "Scratch, vision, binary, plan mode, tool design, cost": [
    {
      number: 182,
      statement:
        "Host creates a per-session scratch area and tells the agent where; file-producing tools write there by default",
    },
    { number: 183, statement: "Scratch disk use is capped (about 100 MB) against decompression bombs" },
    {
      number: 184,
      statement:
        "Perception is a tool distinct from read; read never returns media, view never serves text; refusals typed (absent, wrong type, too large)",
    },
    { number: 185, statement: "Old re-viewable images are elided to a descriptor", waits: "agent" },
    { number: 186, statement: "Plan mode" },
    { number: 187, statement: "Ship the smallest surface; adding later is cheap, retracting is not" },
    { number: 188, statement: "Description says what the tool does, does not do, and when to use it" },
    { number: 189, statement: "No parameter that is silently ignored; no promise the channel cannot carry" },
    {
      number: 190,
      statement:
        "Security-bearing config (credentials, roots) is never an argument; policy config (model, provider, locale) is injected too",
    },
    { number: 191, statement: "Prefer references over blobs, defaults over required knobs, auto-resolve path or URL" },
    {
      number: 192,
      statement:
        "Failures are typed results that name the bad input and the next step; distinguish invalid input, unavailable, backend error",
    },
    { number: 193, statement: "Mutation results acknowledge, never echo the content sent" },
    {
      number: 194,
      statement:
        "Replayed history is not mutated between steps (cache prefix); S stable per-session cache key; breakpoints where the provider needs them",
      waits: "agent",
    },
    { number: 195, statement: "write description points to creation, edit description to revision" },
    {
      number: 196,
      statement:
        "Compositor; one route per resource, no raw bytes the model cannot use, containment check at operation time, symlinks cannot widen scope",
      waits: "agent",
    },
    {
      number: 197,
      statement: "Attachment binaries consult a per-provider mime capability map at runtime",
      waits: "agent",
    },
    { number: 198, statement: "Memory layers do not memorise file contents", waits: "agent" },
  ],
}
