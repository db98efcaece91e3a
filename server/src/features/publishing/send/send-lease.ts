import type { Connector } from '@carillon/connectors'

/**
 * A guard is a lease: the process that set it may write its request only within this time. A process that was paused for longer (a stopped
 * process, a suspended machine, a long garbage collection) must not send, because recovery may have decided meanwhile.
 */
export const leaseMs = 15_000

/** The longest time between writing a request and its end, where the connector names none. */
const submitMsMaxDefault = 30_000

/** For the clocks of two machines and for the time between the check and the write. */
const marginMs = 15_000

/** From this long after the guard was set no process can still send or be waiting for an answer. Only then may recovery draw a conclusion. */
export function quietAfterMs({ submitMsMax = submitMsMaxDefault }: Connector): number {
  return leaseMs + submitMsMax + marginMs
}

export class LeaseExpired extends Error {
  constructor() {
    super('The process was paused for longer than a guard lasts; nothing was sent.')
    this.name = 'LeaseExpired'
  }
}

export type SendLease = {
  /** Throws when the lease has run out. Called in the last line before a request is written. */
  assertValid(): void
}

type Clocks = { wallMs(): number; monotonicMs(): number }

const clocks: Clocks = { wallMs: Date.now, monotonicMs: () => performance.now() }

/**
 * Starts a lease; to be called before the transaction that sets the guards. Two clocks are compared, because the monotonic one may stand
 * still while a machine is suspended and the wall clock may be set back.
 */
export function startLease({ wallMs, monotonicMs }: Clocks = clocks): SendLease {
  const [wall, monotonic] = [wallMs(), monotonicMs()]
  return {
    assertValid() {
      if (Math.abs(wallMs() - wall) > leaseMs || monotonicMs() - monotonic > leaseMs) throw new LeaseExpired()
    },
  }
}
