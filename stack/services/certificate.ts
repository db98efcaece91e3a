import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from './run-command.ts'

export type Certificate = { certFile: string; keyFile: string }

/** Makes a self-signed certificate for loopback, or reuses the one in the folder. NODE_EXTRA_CA_CERTS makes a server trust it. */
export async function makeCertificate(dir: string): Promise<Certificate> {
  const [certFile, keyFile] = [join(dir, 'loopback.crt'), join(dir, 'loopback.key')]
  if (existsSync(certFile) && existsSync(keyFile)) return { certFile, keyFile }
  await mkdir(dir, { recursive: true })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile]
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost']
  await runCommand('openssl', ['req', '-x509', ...key, '-out', certFile, '-days', '3650', ...names])
  return { certFile, keyFile }
}
