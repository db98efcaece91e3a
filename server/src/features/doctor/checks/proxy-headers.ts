import { ok, warn, type Check } from '../check.ts'
import { fetchText } from '../fetch-text.ts'

type Seen = { isForwarded: boolean; isProxyTrusted: boolean; peer: string }

/** Whether the server knows the addresses of the people behind the proxy: without them, they share one limit. */
export const proxyHeaders: Check = {
  name: 'proxy-headers',
  after: ['public-address'],
  async run({ config }) {
    const { origin, protocol } = new URL(config.publicUrl)
    const answer = await fetchText(`${origin}/health/request`)
    if (!answer.isOk)
      return warn(`${origin}/health/request does not answer: ${answer.problem}.`, 'Let the proxy forward all paths.')
    const { isForwarded, isProxyTrusted, peer } = JSON.parse(answer.text) as Seen
    if (!isForwarded && protocol === 'https:')
      return warn('The proxy does not send X-Forwarded-For.', 'Let it add the header; docs/configuration.md says why.')
    if (isForwarded && !isProxyTrusted)
      return warn(
        `CARILLON_TRUSTED_PROXIES does not contain the proxy ${peer}: everyone behind it counts as one network.`,
        `Set CARILLON_TRUSTED_PROXIES=${peer}`,
      )
    return ok(isForwarded ? `The proxy ${peer} is trusted.` : 'There is no proxy in front.')
  },
}
