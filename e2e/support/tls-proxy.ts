import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { createServer } from 'node:tls'

type ProxyOptions = { host: string; certFile: string; keyFile: string; port: number }

/** Terminates TLS and forwards to a local port, as a reverse proxy does. */
export async function openTlsProxy({ host, certFile, keyFile, port }: ProxyOptions): Promise<{ url: string; close(): void }> {
  const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (near) => {
    const far = connect(port, '127.0.0.1')
    near.on('error', () => far.destroy()).pipe(far)
    far.on('error', () => near.destroy()).pipe(near)
  })
  const [name = '', outside] = host.split(':')
  server.listen(Number(outside), name)
  await once(server, 'listening')
  return { url: `https://${host}/`, close: () => void server.close() }
}
