import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startProgram, type Running } from './process.ts'
import { isListening } from './wait-until.ts'

const binary = '/usr/sbin/haproxy'

type BalancedWorker = { port: number; healthPort: number }
export type HaproxyOptions = { dir: string; port: number; workers: readonly BalancedWorker[] }
export type Haproxy = Running & { url: string }

export function isHaproxyInstalled(): boolean {
  return existsSync(binary)
}

/** Starts HAProxy in front of workers. It forwards TCP, so HTTP/2 passes through unchanged. */
export async function startHaproxy({ dir, port, workers }: HaproxyOptions): Promise<Haproxy> {
  if (!isHaproxyInstalled()) throw new Error('several workers need HAProxy: apt install haproxy')
  await mkdir(dir, { recursive: true })
  const settingsFile = join(dir, 'haproxy.cfg')
  await writeFile(settingsFile, settingsOf(port, workers))
  const running = await startProgram({
    name: 'HAProxy',
    command: binary,
    args: ['-db', '-f', settingsFile],
    logFile: join(dir, 'haproxy.log'),
    isReady: () => isListening(port),
    // SIGUSR1 would wait for open connections, which the engine never closes.
    stopSignal: 'SIGTERM',
  })
  return Object.assign(running, { url: `http://127.0.0.1:${port}` })
}

/**
 * A worker that is stopping reports that it accepts nothing. HAProxy then opens no new connection to it, but leaves the open ones: the runs
 * on them must still end.
 */
function settingsOf(port: number, workers: readonly BalancedWorker[]): string {
  const servers = workers.map((worker, at) => `  server w${at + 1} 127.0.0.1:${worker.port} check port ${worker.healthPort}`)
  return `defaults
  mode tcp
  timeout connect 2s
  timeout check 5s
  timeout client 1h
  timeout server 1h
  retries 3
  option redispatch 1

frontend engine
  bind 127.0.0.1:${port}
  default_backend workers

backend workers
  balance leastconn
  option httpchk GET /health/accepting
  default-server inter 500ms fall 2 rise 1
${servers.join('\n')}
`
}
