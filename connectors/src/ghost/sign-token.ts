import { createHmac } from 'node:crypto'

const secondsMax = 300

/** A token for one request. Ghost takes it for five minutes, and the secret of the key is never sent. */
export function signToken(key: string, nowMs: number): string {
  const colon = key.indexOf(':')
  const iat = Math.floor(nowMs / 1000)
  const head = encode({ alg: 'HS256', typ: 'JWT', kid: key.slice(0, colon) })
  const signed = `${head}.${encode({ iat, exp: iat + secondsMax, aud: '/admin/' })}`
  const secret = Buffer.from(key.slice(colon + 1), 'hex')
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
