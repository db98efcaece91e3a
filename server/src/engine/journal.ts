import type { Context as RestateContext } from '@restatedev/restate-sdk'
import type { Errand } from './engine.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const asJson = {
  contentType: 'application/json',
  serialize: (value: unknown) => encoder.encode(JSON.stringify(value)),
  deserialize: (bytes: Uint8Array): unknown => JSON.parse(decoder.decode(bytes)),
}

/**
 * One journaled step and the errands it leads to. The step may run more than once, so what it does is guarded in PostgreSQL; the errands
 * it names are sent exactly once. Nothing but ids and times enters the journal.
 */
export async function journaled(run: RestateContext, name: string, work: () => Promise<Errand[]>): Promise<void> {
  const errands = await run.run(name, work)
  for (const { service, handler, payload, delayMs } of errands) {
    run.genericSend({ service, method: handler, parameter: payload, inputSerde: asJson, ...(delayMs ? { delay: delayMs } : {}) })
  }
}
