import type { StackFaultKind } from '../plan/fault-kinds.ts'

/** A fault of the stack that has happened. `untilMs` is when every part was up again; 0 while it lasts. */
export type Disturbance = { seed: number; kind: StackFaultKind; target: string; fromMs: number; untilMs: number }

/**
 * How long after a fault the service may still be late, on a machine with nothing else to do. It is long where only a timeout can notice
 * the fault, and where the engine has lost everything.
 */
function recoveryMsOf(kind: StackFaultKind): number {
  if (kind.startsWith('half-open') || kind.startsWith('partition')) return 60_000
  if (kind === 'wipe engine' || kind === 'set back engine') return 30_000
  return 8000
}

const offPath: readonly StackFaultKind[] = ['foreign row', 'backup', 'backlog', 'tarpit']

/** Faults that must not make a post late, or leave it without an outcome. */
function isOffPath(kind: StackFaultKind): boolean {
  return kind.startsWith('webhooks') || kind.startsWith('clock') || offPath.includes(kind)
}

/** The faults that can explain why something between these times went another way than usual. */
export function disturbancesBetween(
  all: readonly Disturbance[],
  { fromMs, untilMs, slowness }: { fromMs: number; untilMs: number; slowness: number },
): Disturbance[] {
  return all.filter(
    (each) => !isOffPath(each.kind) && each.fromMs <= untilMs && (each.untilMs === 0 || excusesUntilMs(each, slowness) >= fromMs),
  )
}

/** From then on, none of these faults explains why something is late. */
export function calmFromMs(all: readonly Disturbance[], slowness: number): number {
  return Math.max(0, ...all.filter(({ kind }) => !isOffPath(kind)).map((each) => excusesUntilMs(each, slowness)))
}

function excusesUntilMs({ kind, untilMs }: Disturbance, slowness: number): number {
  return untilMs + recoveryMsOf(kind) * slowness
}
