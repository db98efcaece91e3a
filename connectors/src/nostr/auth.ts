import type { PasswordAuth } from '../kit/auth.ts'
import type { Attach } from '../kit/http.ts'
import { PlatformError, refuseEntered } from '../kit/platform-error.ts'
import { decodeEntity, publicKeyOf, readSecretKey } from './keys.ts'
import { queryAll, relaysOf } from './relay.ts'

const othersMax = 9

/** The key signs, and never leaves. */
export const attach: Attach = () => ({})

export const auth: PasswordAuth = {
  kind: 'password',
  fields: [
    { name: 'secretKey', label: 'Secret key', secret: true },
    { name: 'relays', label: 'More relays', secret: false, optional: true },
    { name: 'mediaServer', label: 'Media server', secret: false, optional: true },
  ],
  perInstance: true,

  async open(http, fields) {
    const entered = fields.secretKey ?? ''
    const secretKey = readSecretKey(entered)
    if (secretKey === undefined) throw refuseEntered(explainKey(entered))
    const others = (fields.relays ?? '').split(/[\s,;]+/).filter((text) => text !== '')
    if (others.length > othersMax) throw refuseEntered(`Enter at most ${othersMax} more relays.`)
    const publicKey = publicKeyOf(secretKey)
    const mediaServer = (fields.mediaServer ?? '').trim()
    const extra = {
      publicKey,
      relays: others.map(readAddress).join(' '),
      mediaServer: mediaServer === '' ? '' : readAddress(mediaServer),
    }
    const credentials = { accessToken: secretKey, extra }
    // A relay that is written wrongly would be missed by every post from now on.
    for (const relay of relaysOf({ http, credentials })) {
      await queryAll([relay], { kinds: [0], authors: [publicKey], limit: 1 }).catch((error: unknown) => explain(error, relay.url))
    }
    return credentials
  },
}

function explainKey(entered: string): string {
  const isPublic = decodeEntity(entered.trim())?.prefix === 'npub'
  if (isPublic) return 'This is your public key. Enter the secret one, which begins with nsec1.'
  return 'Enter your secret key: it begins with nsec1, or has 64 hexadecimal digits.'
}

/** As for the first relay, which the server reads: with or without `wss://`, and stored with `https://`. */
function readAddress(entered: string): string {
  const text = entered.replace(/^ws(s?):\/\//i, 'http$1://')
  const url = URL.parse(text.includes('://') ? text : `https://${text}`)
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '' || url.hash !== '')
    throw refuseEntered(`“${entered}” is no address. Enter it as relay.example or wss://relay.example.`)
  return url.href.replace(/\/$/, '')
}

function explain(error: unknown, url: string): never {
  if (!(error instanceof PlatformError)) throw error
  const { host } = new URL(url)
  if (error.kind === 'auth') throw refuseEntered(`The relay ${host} does not let this key read. Join it, or leave it out.`)
  if (error.kind === 'limited') throw error
  throw refuseEntered(`No relay answers at ${host}. Check the address, or leave it out.`)
}
