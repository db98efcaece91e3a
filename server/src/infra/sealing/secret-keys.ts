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
