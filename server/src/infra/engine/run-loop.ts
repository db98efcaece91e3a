import type { Logger } from 'pino'

type Loop = {
  name: string
  log: Logger
  everyMs: number
  /** Does some work; true means there may be more at once. */
  work(): Promise<boolean>
}

/** Runs `work` at least every so often and whenever woken, one at a time. Failures are logged and tried again, a little later each time. */
export function runLoop({ name, log, everyMs, work }: Loop) {
  let stopped = false
  let woken = false
  let rest = Promise.withResolvers<void>()
  const loop = async () => {
    let failures = 0
    while (!stopped) {
      woken = false
      let more = false
      try {
        more = await work()
        failures = 0
      } catch (error) {
        failures++
        log.error({ err: error, loop: name, failures }, 'the loop goes on after a failure')
      }
      if (more || woken) continue
      const timer = setTimeout(
        () => rest.resolve(),
        failures === 0 ? everyMs : Math.min(500 * 2 ** Math.min(failures, 4), Math.max(everyMs, 2000)),
      )
      await rest.promise
      clearTimeout(timer)
      rest = Promise.withResolvers<void>()
    }
  }
  const done = loop()
  return {
    wake() {
      woken = true
      rest.resolve()
    },
    async stop() {
      stopped = true
      rest.resolve()
      await done
    },
  }
}
