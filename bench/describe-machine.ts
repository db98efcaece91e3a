import { cpus, loadavg, release, totalmem } from 'node:os'
import { describeCommit } from '@carillon/stack/services'

/** On what and of what a figure was taken: without it, it cannot be compared with another. */
export type Machine = {
  cores: number
  processor: string
  memoryGb: number
  system: string
  node: string
  commit: string
  load: number[]
}

export function describeMachine(): Machine {
  const all = cpus()
  return {
    cores: all.length,
    processor: all[0]?.model ?? 'unknown',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release()}`,
    node: process.version,
    commit: describeCommit(),
    load: loadavg().map((value) => Math.round(value * 100) / 100),
  }
}
