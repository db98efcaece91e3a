import { cpus, loadavg, release, totalmem } from 'node:os'
import { describeCommit } from '@carillon/stack/services'

/** The machine and the commit that were measured. Figures can only be compared when these are known. */
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
