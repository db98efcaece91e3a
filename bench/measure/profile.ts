import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { inspect } from './inspector.ts'

type Node = { id: number; callFrame: { functionName: string; url: string; lineNumber: number }; children?: number[] }
type CpuProfile = { nodes: Node[]; samples?: number[]; timeDeltas?: number[]; startTime: number; endTime: number }
export type Profiling = { stop(file: string): Promise<ProfileSummary> }
export type ProfileSummary = { busyMs: number; idleMs: number; self: Share[]; byPlace: Share[] }
type Share = { what: string; ms: number }

/** Profiles a Node.js process from the outside, only during the measurement. */
export async function startProfile(pid: number, port: number): Promise<Profiling> {
  const call = await inspect(pid, port)
  await call('Profiler.enable')
  await call('Profiler.setSamplingInterval', { interval: 500 })
  await call('Profiler.start')
  return {
    async stop(file) {
      const { profile } = await call<{ profile: CpuProfile }>('Profiler.stop')
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, JSON.stringify(profile))
      return summarizeProfile(profile)
    },
  }
}

/** Self time by function and by package or folder. */
function summarizeProfile({ nodes, samples = [], timeDeltas = [] }: CpuProfile): ProfileSummary {
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
