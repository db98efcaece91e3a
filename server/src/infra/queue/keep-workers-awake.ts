import type { Context } from '../../context.ts'

/** A worker looks often for this long after the last sign that something happens. */
const activeMs = 60_000
/** So often each process gives such a sign while requests change something. */
const signEveryMs = 30_000

function createSigns() {
  return { value: { lastMs: -Infinity } }
}

/** To be called after a change was committed: workers that had nothing to do look for its events at once, and often from then on. */
export function keepWorkersAwake(ctx: Context): void {
  const signs = ctx.resources.get(createSigns, ctx)
  const nowMs = performance.now()
  if (nowMs - signs.lastMs < signEveryMs) return
  signs.lastMs = nowMs
  ctx.engine.wakeWorkers()
}

/** What a worker knows about whether something happens in the installation. */
export function createActivity(): { note(): void; isIdle(): boolean } {
  let notedMs = performance.now()
  return {
    note: () => void (notedMs = performance.now()),
    isIdle: () => performance.now() - notedMs > activeMs,
  }
}
