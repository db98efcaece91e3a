import { isIP } from 'node:net'
import { type Check, fail, fetchText, isCarillon, isCarillonRunning, ok, skipped, warn } from '../check.ts'

const everyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '[::]', '::'])

export const publicUrl: Check = {
  name: 'public-url',
  isQuick: true,
  async run({ config: { publicUrl: text } }) {
    if (!URL.canParse(text)) return fail(`CARILLON_PUBLIC_URL is "${text}", which is not a URL.`, example)
    const { hostname, protocol, pathname, search } = new URL(text)
    if (protocol !== 'https:' && protocol !== 'http:') return fail(`CARILLON_PUBLIC_URL is "${text}".`, example)
    if (everyAddress.has(hostname)) return fail(`People cannot open ${text}: it stands for all addresses of a machine.`, example)
    if (pathname !== '/' || search !== '')
      return fail(`CARILLON_PUBLIC_URL has a path, and Carillon is served at the root of a host.`, example)
    if (protocol === 'https:' || isLoopback(hostname)) return ok(`People open ${text}.`)
    return warn(
      `People open ${text} without https: passwords can be read on the way, and passkeys and most platforms do not work.`,
      'Put a proxy with TLS in front, and set CARILLON_PUBLIC_URL to its address.',
    )
  },
}

const example = 'Set it to the address that people type, for example https://carillon.example'

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'))
}

/** Whether the address that people type leads to Carillon, as seen from this machine. */
export const publicAddress: Check = {
  name: 'public-address',
  after: ['public-url'],
  async run({ config }) {
    if (!(await isCarillonRunning(config))) return skipped('Not checked, because Carillon does not run here now.')
    const { origin, hostname } = new URL(config.publicUrl)
    const answer = await fetchText(`${origin}/health/live`)
    // A process that listens on every address is usually in a container, whose own loopback address is not that of the machine.
    if (!answer.isOk && isLoopback(hostname) && everyAddress.has(config.host))
      return skipped(
        `Not checked: ${origin} leads from a container to the container itself. Open it in a browser on the machine.`,
      )
    if (!answer.isOk)
      return fail(
        `${origin} cannot be reached from this machine: ${answer.problem}.`,
        'Check the name, the certificate and the proxy, or correct CARILLON_PUBLIC_URL.',
      )
    if (!isCarillon(answer.text))
      return fail(`Another program answers at ${origin}.`, 'Let the proxy lead to Carillon, or correct CARILLON_PUBLIC_URL.')
    return ok(`${origin} leads to Carillon.`)
  },
}

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

export const signIn: Check = {
  name: 'sign-in',
  async run({ config: { oidc } }) {
    if (oidc === null) return ok('People sign in with a password or a passkey.')
    const answer = await fetchText(`${oidc.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
    if (!answer.isOk)
      return fail(
        `The identity provider cannot be used: ${answer.problem}.`,
        'Correct CARILLON_OIDC_ISSUER, or start the provider.',
      )
    const issuer = /"issuer"\s*:\s*"([^"]+)"/.exec(answer.text)?.[1]
    if (issuer !== oidc.issuer)
      return fail(
        `The identity provider calls itself "${issuer ?? 'nothing'}".`,
        'Set CARILLON_OIDC_ISSUER to exactly this name; a slash at the end counts.',
      )
    return ok(`The identity provider ${oidc.issuer} answers.`)
  },
}
