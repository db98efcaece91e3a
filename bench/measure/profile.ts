import { writeFile } from 'node:fs/promises'
import { waitUntil } from '@carillon/scripts/services'

type Node = { id: number; callFrame: { functionName: string; url: string; lineNumber: number }; children?: number[] }
type CpuProfile = { nodes: Node[]; samples?: number[]; timeDeltas?: number[]; startTime: number; endTime: number }
export type Profiling = { stop(file: string): Promise<ProfileSummary> }
export type ProfileSummary = { busyMs: number; idleMs: number; self: Share[]; byPlace: Share[] }
type Share = { what: string; ms: number }

/** Profiles a Node process from outside for just the time that matters: a signal opens its inspector. */
export async function startProfile(pid: number, port: number): Promise<Profiling> {
  process.kill(pid, 'SIGUSR1')
  let address = ''
  await waitUntil(
    async () => {
      const list: { webSocketDebuggerUrl: string }[] = await fetch(`http://127.0.0.1:${port}/json/list`)
        .then((answer) => answer.json())
        .catch(() => [])
      address = list[0]?.webSocketDebuggerUrl ?? ''
      return address !== ''
    },
    { what: 'the inspector', withinMs: 5000 },
  )
  const call = await openInspector(address)
  await call('Profiler.enable')
  await call('Profiler.setSamplingInterval', { interval: 500 })
  await call('Profiler.start')
  return {
    async stop(file) {
      const { profile } = await call<{ profile: CpuProfile }>('Profiler.stop')
      await writeFile(file, JSON.stringify(profile))
      return summarizeProfile(profile)
    },
  }
}

type Call = <T>(method: string, params?: Record<string, unknown>) => Promise<T>

async function openInspector(address: string): Promise<Call> {
  const socket = new WebSocket(address)
  await new Promise((done, fail) => {
    socket.addEventListener('open', done, { once: true })
    socket.addEventListener('error', fail, { once: true })
  })
  let last = 0
  return (method, params = {}) => {
    last++
    const id = last
    return new Promise((done) => {
      const hear = (event: MessageEvent<string>) => {
        const message: { id?: number; result?: never } = JSON.parse(event.data)
        if (message.id !== id || message.result === undefined) return
        socket.removeEventListener('message', hear)
        done(message.result)
      }
      socket.addEventListener('message', hear)
      socket.send(JSON.stringify({ id, method, params }))
    })
  }
}

/** Time by function and by package or folder, without that of what they called. */
export function summarizeProfile({ nodes, samples = [], timeDeltas = [] }: CpuProfile): ProfileSummary {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const self = new Map<string, number>()
  const places = new Map<string, number>()
  let [busyMs, idleMs] = [0, 0]
  samples.forEach((id, at) => {
    const frame = byId.get(id)?.callFrame
    const ms = (timeDeltas[at] ?? 0) / 1000
    if (!frame) return
    if (frame.functionName === '(idle)') return void (idleMs += ms)
    busyMs += ms
    const place = placeOf(frame.url, frame.functionName)
    const name = `${frame.functionName || '(anonymous)'} ${frame.url.split('/').slice(-2).join('/')}:${frame.lineNumber + 1}`
    self.set(name, (self.get(name) ?? 0) + ms)
    places.set(place, (places.get(place) ?? 0) + ms)
  })
  return { busyMs: Math.round(busyMs), idleMs: Math.round(idleMs), self: top(self, 40), byPlace: top(places, 25) }
}

function placeOf(url: string, name: string): string {
  if (url === '') return name.startsWith('(') ? name : '(native)'
  if (url.startsWith('node:')) return url.split('/').slice(0, 2).join('/')
  const dependency = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]
  if (dependency) return dependency
  return url.split('/').slice(-4, -1).join('/')
}

function top(times: Map<string, number>, count: number): Share[] {
  return [...times]
    .map(([what, ms]) => ({ what, ms: Math.round(ms) }))
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, count)
}
