import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The key with which an engine signs its requests to the workers. `publicKey` is what a worker needs to recognise them. */
export type EngineIdentity = { privateKeyFile: string; publicKey: string }

/** The key in this folder, created if there is none. */
export async function engineIdentity(dir: string): Promise<EngineIdentity> {
  const privateKeyFile = join(dir, 'identity.pem')
  const pem = await readFile(privateKeyFile, 'utf8').catch(() => createKey(dir, privateKeyFile))
  const { x } = createPublicKey(pem).export({ format: 'jwk' })
  return { privateKeyFile, publicKey: `publickeyv1_${base58(Buffer.from(x ?? '', 'base64url'))}` }
}

async function createKey(dir: string, file: string): Promise<string> {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  await mkdir(dir, { recursive: true })
  await writeFile(file, pem, { mode: 0o600 })
  return pem
}

const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** The number in base 58, with one `1` for each leading zero byte. */
function base58(bytes: Buffer): string {
  let text = ''
  for (let rest = BigInt(`0x${bytes.toString('hex')}`); rest > 0n; rest /= 58n) text = `${digits[Number(rest % 58n)]}${text}`
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return `${'1'.repeat(Math.max(zeros, 0))}${text}`
}
