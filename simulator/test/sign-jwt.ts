import { createHmac } from 'node:crypto'

type Options = { atMs?: number; secret?: Buffer; header?: object }

/** The token that a caller of Ghost's Admin API signs with a key, which is its id and its hexadecimal secret with a colon between. */
export function signJwt(key: string, { atMs = Date.now(), secret, header }: Options = {}): string {
  const [kid = '', hex = ''] = key.split(':')
  const iat = Math.floor(atMs / 1000)
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${encode(header ?? { alg: 'HS256', typ: 'JWT', kid })}.${encode({ iat, exp: iat + 300, aud: '/admin/' })}`
  return `${signed}.${createHmac('sha256', secret ?? Buffer.from(hex, 'hex'))
    .update(signed)
    .digest('base64url')}`
}
