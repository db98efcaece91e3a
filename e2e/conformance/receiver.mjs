import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

function certificate(config, host) {
  if (config.webhookTlsCert) return { cert: readFileSync(config.webhookTlsCert), key: readFileSync(config.webhookTlsKey) }
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '1',
        '-keyout',
        key,
        '-out',
        cert,
        '-subj',
        `/CN=${host}`,
        '-addext',
        `subjectAltName=${net.isIP(host) ? 'IP' : 'DNS'}:${host}`,
      ],
      { stdio: 'ignore' },
    )
    return { cert: readFileSync(cert), key: readFileSync(key) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** One port for TLS and plain HTTP: webhooks need TLS, a proxy in front or a served picture needs plain HTTP. */
export async function openReceiver(config) {
  const address = config.webhookHost ?? (config.webhookBaseUrl && new URL(config.webhookBaseUrl).host)
  if (!address) return undefined
  const { hostname, port } = new URL(`http://${address}`)
  const calls = []
  const handlers = new Map()

  const handle = (request, response) => {
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', async () => {
      const path = request.url.split('?')[0]
      const call = { path, method: request.method, headers: request.headers, raw: Buffer.concat(chunks), at: Date.now() }
      calls.push(call)
      const answer = await (handlers.get(path)?.(call, calls.filter((other) => other.path === path).length) ?? { status: 404 })
      response.writeHead(answer.status ?? 200, answer.headers)
      response.end(answer.body)
    })
  }
  const plain = http.createServer(handle)
  const secure = https.createServer(certificate(config, hostname), handle)
  secure.on('tlsClientError', (error) => calls.push({ path: '(TLS)', problem: error.message, at: Date.now() }))
  const sockets = new Set()
  const door = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    socket.once('data', (first) => {
      socket.pause()
      socket.unshift(first)
      ;(first[0] === 0x16 ? secure : plain).emit('connection', socket) // 0x16 opens a TLS handshake
      process.nextTick(() => socket.resume())
    })
  })
  await new Promise((resolve, reject) => door.once('error', reject).listen(Number(port) || 0, resolve))
  const actual = door.address().port
  const base = config.webhookBaseUrl ?? `https://${hostname}:${actual}`

  return {
    url: (path) => base + path,
    plainUrl: (path) => `http://${hostname}:${actual}${path}`,
    on: (path, handler) => handlers.set(path, handler),
    serve: (path, { bytes, type }) =>
      handlers.set(path, () => ({ status: 200, headers: { 'content-type': type, 'content-length': bytes.length }, body: bytes })),
    calls: (path) => calls.filter((call) => call.path === path),
    problems: () => calls.filter((call) => call.problem).map((call) => call.problem),
    close: () => {
      for (const socket of sockets) socket.destroy()
      door.close()
    },
  }
}
