import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Short periods, so that a limited process is slow all the time instead of standing still for most of each tenth of a second. */
const periodMicroseconds = 20_000
const v2 = '/sys/fs/cgroup'
const v1 = '/sys/fs/cgroup/cpu'

/**
 * Limits a process to a part of a processor core by a control group of its own, which the kernel enforces. The returned function removes the
 * group; the process must have ended or belongs to the parent again.
 */
export function limitCpu(pid: number, share: number): () => void {
  const quota = Math.round(periodMicroseconds * share)
  const isV2 = existsSync(join(v2, 'cgroup.controllers'))
  const [parent, limits] = isV2
    ? [v2, { 'cpu.max': `${quota} ${periodMicroseconds}` }]
    : [v1, { 'cpu.cfs_period_us': String(periodMicroseconds), 'cpu.cfs_quota_us': String(quota) }]
  const group = join(parent, `carillon-bench-${pid}`)
  try {
    if (isV2) writeFileSync(join(parent, 'cgroup.subtree_control'), '+cpu')
    mkdirSync(group)
    for (const [file, value] of Object.entries(limits)) writeFileSync(join(group, file), value)
    writeFileSync(join(group, 'cgroup.procs'), String(pid))
  } catch (error) {
    throw new Error(`this machine does not let the benchmark limit the processor time of a process: ${String(error)}`, {
      cause: error,
    })
  }
  return () => {
    try {
      writeFileSync(join(parent, 'cgroup.procs'), String(pid))
    } catch {
      // The process has ended.
    }
    rmdirSync(group)
  }
}
