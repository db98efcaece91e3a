import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Where a sealed value is stored. The encryption is bound to it: a value copied to another row or column cannot be opened. */
export type Place = { workspaceId: string; rowId: string; column: string }

const nonceBytes = 12
const tagBytes = 16

/**
 * Encrypts with AES-256-GCM and a data key per value. The data key is encrypted with a key-encryption key, whose id is stored in front.
 * Layout: id length, id, wrapped data key (nonce, 32 bytes, tag), value (nonce, bytes, tag).
 */
export function seal(keys: SecretKeys, place: Place, plain: string): Buffer {
  const keyId = Buffer.from(keys.sealing)
  const dataKey = randomBytes(32)
  const wrapped = encrypt(keyFor(keys, keys.sealing), dataKey, aad(place, 'key'))
  const value = encrypt(dataKey, Buffer.from(plain, 'utf8'), aad(place, 'value'))
  return Buffer.concat([Buffer.from([keyId.length]), keyId, wrapped, value])
}

export function open(keys: SecretKeys, place: Place, sealed: Buffer): string {
  const idLength = sealed[0] ?? 0
  const keyId = sealed.subarray(1, 1 + idLength).toString()
  const wrappedEnd = 1 + idLength + nonceBytes + 32 + tagBytes
  const dataKey = decrypt(keyFor(keys, keyId), sealed.subarray(1 + idLength, wrappedEnd), aad(place, 'key'))
  return decrypt(dataKey, sealed.subarray(wrappedEnd), aad(place, 'value')).toString('utf8')
}

/** The same value sealed with the first key. Only its data key is encrypted anew; the value itself is not decrypted. */
export function reseal(keys: SecretKeys, place: Place, sealed: Buffer): Buffer {
  return resealFor({ from: keys, to: keys }, place, sealed)
}

/** The same value for an installation with other keys. Two installations may use the same key id for different keys. */
export function resealFor({ from, to }: { from: SecretKeys; to: SecretKeys }, place: Place, sealed: Buffer): Buffer {
  const idLength = sealed[0] ?? 0
  const wrappedEnd = 1 + idLength + nonceBytes + 32 + tagBytes
  const oldKey = keyFor(from, sealed.subarray(1, 1 + idLength).toString())
  const dataKey = decrypt(oldKey, sealed.subarray(1 + idLength, wrappedEnd), aad(place, 'key'))
  const keyId = Buffer.from(to.sealing)
  const wrapped = encrypt(keyFor(to, to.sealing), dataKey, aad(place, 'key'))
  return Buffer.concat([Buffer.from([keyId.length]), keyId, wrapped, sealed.subarray(wrappedEnd)])
}

function keyFor(keys: SecretKeys, id: string): Buffer {
  const key = keys.keys.get(id)
  if (!key) throw new Error(`a sealed value needs key "${id}", which CARILLON_SECRET_KEYS does not hold`)
  return key
}

function aad({ workspaceId, rowId, column }: Place, part: string): Buffer {
  return Buffer.from(`${workspaceId}/${rowId}/${column}/${part}`)
}

function encrypt(key: Buffer, plain: Buffer, bound: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(bound)
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function decrypt(key: Buffer, sealed: Buffer, bound: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes)).setAAD(bound)
  decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, sealed.length - tagBytes)), decipher.final()])
}

/** Key-encryption keys by id. The first one seals and all of them open, so a new key can be added in front without downtime. */
export type SecretKeys = { sealing: string; keys: ReadonlyMap<string, Buffer> }

/** Reads `k2:<base64 of 32 bytes>,k1:<base64 of 32 bytes>`. */
export function parseSecretKeys(list: string): SecretKeys {
  const keys = new Map<string, Buffer>()
  for (const entry of list.split(',')) {
    const at = entry.indexOf(':')
    const id = entry.slice(0, at).trim()
    const key = Buffer.from(entry.slice(at + 1).trim(), 'base64')
    if (at < 1 || !/^[a-z0-9]{1,16}$/.test(id) || key.length !== 32) {
      throw new Error(
        'CARILLON_SECRET_KEYS must be id:base64 pairs of 32-byte keys, for example k1:… made by `openssl rand -base64 32`',
      )
    }
    keys.set(id, key)
  }
  const [sealing] = keys.keys()
  if (!sealing) throw new Error('CARILLON_SECRET_KEYS contains no key')
  return { sealing, keys }
}
