import { channelDescriptor } from "./channel.js"

/** Evaluates pieces of bash in one shell: variables, functions and the directory stay. */
export const shellDriver = String.raw`
printf 'ready\n' >&${channelDescriptor}
while IFS= read -r -d '' -u ${channelDescriptor} __haft_nonce && IFS= read -r -d '' -u ${channelDescriptor} __haft_code; do
  eval "$__haft_code" ${channelDescriptor}>&- </dev/null
  printf '%s %s\n' "$__haft_nonce" "$?" >&${channelDescriptor}
done
`
