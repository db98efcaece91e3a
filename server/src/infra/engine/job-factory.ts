import type { Job } from './engine.ts'

/**
 * The handlers of a service, derived from its jobs: a record of handler name to payload type. A workflow declares its handlers as this type,
 * so renaming a handler or changing its payload on one side only does not compile. `Results` names the handlers that return a result to
 * the run that called them.
 */
export type HandlersOf<Jobs, Run, Results = unknown> = {
  [Name in keyof Jobs]: (run: Run, payload: Jobs[Name]) => Promise<Name extends keyof Results ? Results[Name] : void>
}

type JobOptions = { key?: string; delayMs?: number }

/** Makes the jobs of one service. */
export function jobFactory<Jobs extends Record<string, unknown>>(service: string) {
  return <Name extends keyof Jobs & string>(handler: Name, payload: Jobs[Name], options: JobOptions = {}): Job => ({
    service,
    handler,
    payload,
    ...options,
  })
}
