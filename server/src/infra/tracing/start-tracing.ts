import type { Context } from '../../context.ts'
import { createTracing } from './start-span.ts'

/** Loads and starts the tracing SDK if an OTLP endpoint is set. Returns how to stop, which sends what is still waiting. */
export async function startTracing(ctx: Context, role: string): Promise<() => Promise<void>> {
  const { tracing } = ctx.config
  if (!tracing) return async () => {}
  // Without an endpoint, the packages are not even loaded.
  const { openTelemetry } = await import('./open-telemetry.ts')
  const { startSpan, stop } = openTelemetry(tracing, role, (error) =>
    ctx.log.warn({ err: error }, 'traces could not be sent to OTEL_EXPORTER_OTLP_ENDPOINT'),
  )
  const state = ctx.resources.get(createTracing, ctx)
  state.startSpan = startSpan
  return async () => {
    state.startSpan = null
    await stop()
  }
}
