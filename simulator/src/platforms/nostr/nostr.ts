import { bech32 } from '@scure/base'
import type { Call } from '../../http/call.ts'
import { textOf } from '../../http/fields.ts'
import type { Platform, PlatformFactory } from '../../platform.ts'
import type { Limit } from '../../state/limits.ts'
import { PlatformContext } from '../../state/platform-context.ts'
import type { SimulatorState } from '../../state/simulator-state.ts'
import { stateOf } from '../../state/tokens.ts'
import { blossomRoutes, readAuthorization } from './blossom.routes.ts'
import { failure, refusal } from './errors.ts'
import { publicKeyOf, secretOf } from './event.ts'
import { eventRoutes, readSent } from './events.routes.ts'
import { countText } from './note.ts'
import { createTalk } from './talk.ts'

/** Relays choose their own limits. This one is that of a relay with many people. */
const limits: Record<string, Limit> = { events: { max: 600, windowMs: 60_000, per: 'account' } }

export const nostr: PlatformFactory = { name: 'nostr', create }

/** Relays over WebSockets, and a media server. Whoever has an account may write: the others are refused, as on a relay for members. */
function create(simulator: SimulatorState): Platform {
  const context = new PlatformContext('nostr', simulator, { limits })
  const talk = createTalk()
  const senderOf = (call: Call) =>
    (call.headers.authorization === undefined ? readSent(call) : readAuthorization(call))?.pubkey ?? ''
  return {
    context,
    talk,
    title: 'Nostr',
    colour: '#7b3fb5',
    countText,
    routes: [...eventRoutes(context, talk), ...blossomRoutes(context)],
    // The first relay is at the address without a code.
    pages: [{ path: '/:code(^[a-z\\d]{60,}$)', find: ({ code }) => context.findPost(({ id }) => id === readCode(code ?? '')) }],
    profile: { path: '/p/:handle', find: ({ handle }) => context.accounts.find(handle ?? '') },
    describe: (fields) => ({ title: textOf(fields['tag subject']), hidden: ['created_at', 'tag e', 'tag p', 'tag nonce'] }),
    accountIdOf: (handle) => publicKeyOf(secretOf(handle)),
    issueCredentials(account) {
      const value = secretOf(account.handle)
      const issuedAtMs = context.now()
      const expiresAtMs = issuedAtMs + context.accessLifetimeMs(Infinity)
      context.tokens.issue({ value, kind: 'access', account, issuedAtMs, expiresAtMs })
      return { accessToken: value, extra: { publicKey: account.id, relays: '', mediaServer: context.origin } }
    },
    tokenOf(call) {
      const account = context.accounts.findById(senderOf(call))
      return account && secretOf(account.handle)
    },
    checkToken(token) {
      if (!token) throw refusal('blocked: this key is not on the list')
      if (stateOf(token, context.now()) !== 'live') throw refusal('restricted: the membership has ended')
      return token
    },
    failure,
    expiredToken: () => refusal('restricted: the membership has ended').reply,
    rateHeaders: () => ({}),
  }
}

/** The id in an address of an event, as NIP-19 writes it. */
function readCode(code: string): string | undefined {
  if (/^[\da-f]{64}$/.test(code)) return code
  try {
    const { prefix, words } = bech32.decode(code as `${string}1${string}`, false)
    const bytes = Buffer.from(bech32.fromWords(words))
    if (prefix === 'note') return bytes.toString('hex')
    return prefix === 'nevent' && bytes[0] === 0 && bytes[1] === 32 ? bytes.subarray(2, 34).toString('hex') : undefined
  } catch {
    return undefined
  }
}
