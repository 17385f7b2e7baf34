import { authorities, type PlacedRule } from "@haft/contract"
import { toolFacts } from "../../generated/tool-facts.js"
import { placeGroups, type RuleGroup } from "./rule-group.js"

/** The rules that hold before anybody wrote one. */
export function defaultRules(): readonly PlacedRule[] {
  return placed
}

// A project cannot lift these; a user, a session and a flag can, each file by name.
const secretAuthority = authorities.user

const groups: readonly RuleGroup[] = [
  { action: "allow", permissions: ["fs.read"], patterns: ["{workspace}/**"] },

  // Secrets.
  {
    action: "deny",
    permissions: ["fs.read"],
    patterns: ["**/.env", "**/.env.*"],
    why: "such files hold secrets",
    authority: secretAuthority,
    secret: true,
  },
  {
    action: "allow",
    permissions: ["fs.read"],
    patterns: ["**/.env.example", "**/.env.sample", "**/.env.template", "**/.env.dist"],
    authority: secretAuthority,
  },
  {
    action: "deny",
    permissions: ["fs.read"],
    patterns: [
      "**/id_rsa",
      "**/id_dsa",
      "**/id_ecdsa",
      "**/id_ed25519",
      "**/.netrc",
      "**/.pgpass",
      "**/.git-credentials",
      "**/*.kdbx",
      "**/*.keystore",
    ],
    why: "such files hold keys and passwords",
    authority: secretAuthority,
    secret: true,
  },
  {
    action: "deny",
    permissions: ["fs.read"],
    patterns: ["**/*.pem", "**/*.key", "**/*.p12", "**/*.pfx", "**/*.jks"],
    why: "such files hold private keys, and the commit that the session began with has no such content",
    authority: secretAuthority,
    untrackedOnly: true,
    secret: true,
  },
  {
    action: "deny",
    permissions: ["fs.read"],
    patterns: [
      "~/.ssh/**",
      "~/.aws/**",
      "~/.gnupg/**",
      "~/.kube/**",
      "~/.docker/**",
      "~/.npmrc",
      "~/.config/**",
      "~/.local/share/keyrings/**",
      "~/.password-store/**",
    ],
    why: "programs keep your credentials there",
    authority: secretAuthority,
    secret: true,
  },
  {
    action: "deny",
    permissions: ["fs.read", "fs.write"],
    patterns: ["{haft-home}/**", "{haft-config}/**"],
    why: "Haft keeps its own state and configuration there",
    authority: secretAuthority,
    secret: true,
  },
  {
    action: "allow",
    permissions: ["fs.read"],
    patterns: ["{scratch}/**", "{sidecars}/**"],
    authority: secretAuthority,
  },
  { action: "allow", permissions: ["fs.write"], patterns: ["{scratch}/**"], authority: secretAuthority },
  // /tmp and /var/tmp of the session; where commands run without a sandbox they are the machine's, and are asked about.
  {
    action: "allow",
    permissions: ["fs.read", "fs.write", "fs.delete"],
    patterns: ["{tmp}/**"],
    authority: secretAuthority,
  },

  // Protected: files that make other programs run code, also while they do not exist yet.
  {
    action: "ask",
    permissions: ["fs.write"],
    patterns: [
      "**/.git/hooks/**",
      "**/.git/config",
      "**/.git/config.worktree",
      "**/.git/info/attributes",
      "**/.git/modules/**",
      "**/.git/commondir",
      "**/.git/worktrees/**",
      "**/.gitmodules",
      "**/.husky/**",
    ],
    why: "git runs commands from there",
    final: true,
  },
  {
    action: "ask",
    permissions: ["fs.write"],
    patterns: [
      "**/.mcp.json",
      "**/.vscode/**",
      "**/.idea/**",
      "**/.zed/**",
      "**/.claude/**",
      "**/.codex/**",
      "**/.gemini/**",
      "**/.cursor/**",
      "**/.agents/**",
      "**/.haft/**",
      "**/haft.jsonc",
      "**/haft.local.jsonc",
    ],
    why: "editors and agents run commands from there",
    final: true,
  },
  {
    action: "ask",
    permissions: ["fs.write"],
    patterns: [
      "**/.npmrc",
      "**/.yarnrc",
      "**/.yarnrc.yml",
      "**/.pnpmfile.cjs",
      "**/.cargo/config.toml",
      "**/.envrc",
      "**/.env",
      "**/.env.*",
      "**/.bashrc",
      "**/.bash_profile",
      "**/.bash_login",
      "**/.profile",
      "**/.zshrc",
      "**/.zshenv",
      "**/.zprofile",
      "**/.zlogin",
      "**/.gitconfig",
    ],
    why: "shells and package managers run or trust what is there",
    final: true,
  },

  // Commands: read-only ones are settled by their effects.
  {
    action: "allow",
    permissions: ["shell.run"],
    patterns: [
      "node --version",
      "npm --version",
      "python3 --version",
      "git --version",
      "cargo --version",
      "go version",
    ],
  },
  {
    action: "deny",
    permissions: ["shell.run"],
    patterns: [
      "sudo *",
      "su *",
      "doas *",
      "pkexec *",
      "mount *",
      "umount *",
      "nsenter *",
      "unshare *",
      "systemctl *",
      "crontab *",
      "at *",
      "shutdown *",
      "reboot *",
    ],
    why: "it acts on the whole machine, outside every sandbox",
  },
]

/** What the manifests of the tools say, after what holds for every tool. */
const ofTools: readonly RuleGroup[] = Object.entries(toolFacts).flatMap(([id, { defaults = [] }]) =>
  defaults.map((rule) => ({ ...rule, permissions: [id] })),
)

const placed = placeGroups([...groups, ...ofTools])
