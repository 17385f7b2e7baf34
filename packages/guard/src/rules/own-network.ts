/** Whether a host, perhaps with a port, is of this machine or its network, as far as its spelling tells. */
export function isOwnNetwork(host: string): boolean {
  return ownNetwork.test(host)
}

const ownNetwork =
  /^(?:127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.0\.0\.0|(?:.*\.)?localhost\.?(?::|$)|\[?(?:::|f[cd][0-9a-f]{2}:|fe80:))/i
