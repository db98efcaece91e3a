import { availableParallelism, loadavg } from 'node:os'

const slownessMax = 8

/** How much slower than usual this machine is now: 1 on a machine with nothing else to do. Bounds on time are multiplied by it. */
export function measureSlowness(): number {
  const [lastMinute = 0] = loadavg()
  return Math.min(slownessMax, Math.max(1, lastMinute / availableParallelism()))
}
