/** Variables that make programs use the proxy at this address; both spellings, because each program knows only one. */
export function proxyVariables(
  address: string,
  { reachesLoopback }: { readonly reachesLoopback: boolean },
): Readonly<Record<string, string>> {
  const http = `http://${address}`
  // Servers that a command starts itself are at its own 127.0.0.1; a granted one of the host is behind the proxy.
  const direct = reachesLoopback ? "" : "localhost,127.0.0.1,::1"
  return {
    HTTP_PROXY: http,
    HTTPS_PROXY: http,
    ALL_PROXY: `socks5h://${address}`,
    NO_PROXY: direct,
    http_proxy: http,
    https_proxy: http,
    all_proxy: `socks5h://${address}`,
    no_proxy: direct,
    NODE_USE_ENV_PROXY: "1",
    npm_config_proxy: http,
    npm_config_https_proxy: http,
    npm_config_noproxy: direct,
    PIP_PROXY: http,
    CARGO_HTTP_PROXY: http,
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "http.proxy",
    GIT_CONFIG_VALUE_0: http,
  }
}
