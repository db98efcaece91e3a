import { readFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer, request, type IncomingHttpHeaders, type Server } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { upStack, type Stack } from '@carillon/stack'
import { freePorts } from '@carillon/stack/services'
import { openMailServer } from '../../infra/mail/smtp.fixture.ts'

export type Env = Record<string, string>

export type Installation = {
  stack: Stack
  /** Settings with which every check is fine. */
  env: Env
  /** Ports that are free, and one that another program uses. */
  freePorts: readonly number[]
  busyPort: number
  /** An HTTP proxy in front of an address that changes requests or answers. Returns its address. */
  startProxy(target: string, change: ProxyChange): Promise<string>
  stop(): Promise<void>
}

type ProxyChange = { request?: IncomingHttpHeaders; answer?: IncomingHttpHeaders; body?: (path: string) => string | null }

/** A whole installation that works: PostgreSQL, engine, API and worker, mail server and a web app. */
export async function startInstallation(): Promise<Installation> {
  const dir = join(tmpdir(), `carillon-doctor-${process.pid}`)
  const [healthPort = 0, ...free] = await freePorts(5)
  const stack = await upStack({ dir, fsync: false, env: { CARILLON_HEALTH_PORT: String(healthPort) } })
  const { info } = stack
  const webDir = join(dir, 'web')
  await mkdir(webDir)
  await writeFile(join(webDir, 'index.html'), '<!doctype html>')
  const { secretKeys } = JSON.parse(await readFile(join(dir, 'kept.json'), 'utf8')) as { secretKeys: string }
  const mail = await openMailServer()
  const busy = await listen(createTcpServer())
  const servers: (Server | TcpServer)[] = [busy]
  const url = new URL(info.baseUrl)
  const workers = await fetch(`${info.restateAdminUrl}/deployments`).then((response) => response.text())
  const workerPort = /"uri":"http:\/\/127\.0\.0\.1:(\d+)/.exec(workers)?.[1] ?? ''
  return {
    stack,
    freePorts: free,
    busyPort: portOf(busy),
    env: {
      DATABASE_URL: info.databaseUrl,
      RESTATE_INGRESS_URL: info.restateIngressUrl,
      RESTATE_ADMIN_URL: info.restateAdminUrl,
      RESTATE_IDENTITY_KEYS: info.restateIdentityKey,
      CARILLON_PORT: url.port,
      CARILLON_WORKER_PORT: workerPort,
      CARILLON_WORKER_URL: `http://127.0.0.1:${workerPort}`,
      CARILLON_HEALTH_PORT: String(healthPort),
      CARILLON_PUBLIC_URL: url.origin,
      CARILLON_SECRET_KEYS: secretKeys,
      CARILLON_MEDIA_DIR: join(dir, 'media'),
      CARILLON_WEB_DIR: webDir,
      CARILLON_SMTP_URL: mail.url,
      CARILLON_MAIL_FROM: 'bells@carillon.example',
    },
    async startProxy(target, change) {
      const proxy = await listen(createProxy(target, change))
      servers.push(proxy)
      return `http://127.0.0.1:${portOf(proxy)}`
    },
    async stop() {
      for (const server of servers) server.close()
      mail.close()
      await stack.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

function createProxy(target: string, { request: sent = {}, answer = {}, body = () => null }: ProxyChange): Server {
  return createServer(({ url = '/', method, headers }, response) => {
    const replaced = body(url)
    if (replaced !== null) return void response.writeHead(200, answer).end(replaced)
    const { host } = new URL(target)
    const forwarded = request(new URL(url, target), { method, headers: { ...headers, ...sent, host } }, (from) => {
      response.writeHead(from.statusCode ?? 502, { ...from.headers, ...answer })
      from.pipe(response)
    })
    forwarded.end()
  })
}

async function listen<T extends TcpServer>(server: T): Promise<T> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  server.unref()
  return server
}

function portOf(server: TcpServer): number {
  return (server.address() as AddressInfo).port
}
