import type { Context } from '../../context.ts'

/** Values that may leave the installation: names, numbers and codes. Never a token, an address with its query, or a text of a user. */
type SpanAttributes = Readonly<Record<string, string | number>>

export type SpanFacts = {
  kind: 'server' | 'producer' | 'consumer' | 'client' | 'internal'
  /** The traceparent of the span above. A parent that is not sampled has no spans below it. */
  parent?: string | null | undefined
  /** For a span without a parent: the id of its trace. */
  traceId?: string
  attributes?: SpanAttributes
}

export type Span = {
  /** For the spans below, in this process or in another. */
  readonly traceparent: string
  end(result?: { attributes?: SpanAttributes; hasFailed?: boolean }): void
}

export type StartSpan = (name: string, facts: SpanFacts) => Span | null

/** Null until `startTracing` was called: then nothing is recorded. */
export function createTracing(): { value: { startSpan: StartSpan | null } } {
  return { value: { startSpan: null } }
}

/** Starts a span. Null if tracing is off or this trace is not sampled. */
export function startSpan(ctx: Pick<Context, 'resources'>, name: string, facts: SpanFacts): Span | null {
  // The creating function does not use its argument.
  const { startSpan: start } = ctx.resources.get(createTracing, ctx as Context)
  return start ? start(name, facts) : null
}
