import type { Transport } from '@carillon/connectors'
import type { TranscriptCall } from '@carillon/contract'
import type { Context } from '../../../../context.ts'
import { redact, type RawExchange } from './redact.ts'

export type RecordedCall = Omit<TranscriptCall, 'kind' | 'step'> & { atMs: number }

/** The calls of one connection are recorded until a time. Only `carillon live-test` begins one. */
export type Recording = {
  id: string
  workspaceId: string
  connectionId: string
  salt: string
  untilMs: number
}

type OpenRecording = Recording & { deliver(call: RecordedCall): void }

function createRecordings() {
  return { value: new Map<string, OpenRecording>() }
}

export function openRecording(ctx: Context, recording: OpenRecording): () => void {
  const recordings = ctx.resources.get(createRecordings, ctx)
  recordings.set(recording.id, recording)
  return () => void recordings.delete(recording.id)
}

type Recorded = { workspace_id: string; id: string; handle: string; account_id: string }

/** Passes every call on unchanged, and hands what can be told of it to the recordings of this connection. Almost always there is none. */
export function recordCalls(
  ctx: Context,
  connection: Recorded,
  { transport, origin }: { transport: Transport; origin: string },
): Transport {
  const recordings = ctx.resources.get(createRecordings, ctx)
  if (recordings.size === 0) return transport
  const nowMs = ctx.nowMs()
  const wanted = [...recordings.values()].filter(
    ({ workspaceId, connectionId, untilMs }) =>
      workspaceId === connection.workspace_id && connectionId === connection.id && untilMs > nowMs,
  )
  if (wanted.length === 0) return transport
  const own = [connection.handle, connection.account_id]
  const basePath = new URL(origin).pathname.replace(/\/$/, '')
  return tap(transport, { nowMs: ctx.nowMs }, (exchange, atMs) => {
    for (const { salt, deliver } of wanted)
      void redact(exchange, { salt, own, basePath }).then(
        (call) => deliver({ ...call, atMs }),
        (error: unknown) => ctx.log.warn({ err: error }, 'a call could not be recorded'),
      )
  })
}

type Tell = (exchange: RawExchange, atMs: number) => void

function tap(transport: Transport, { nowMs }: { nowMs(): number }, tell: Tell): Transport {
  return async (request) => {
    const { method, url, headers, body } = request
    const atMs = nowMs()
    const startedMs = performance.now()
    const record = (answer: Pick<RawExchange, 'status' | 'responseHeaders' | 'responseBody'>) => {
      tell({ method, url, requestHeaders: headers, requestBody: body, ...answer, ms: performance.now() - startedMs }, atMs)
    }
    try {
      const reply = await transport(request)
      const { status, headers: responseHeaders } = reply
      return {
        ...reply,
        text: async (bytesMax) => {
          try {
            const text = await reply.text(bytesMax)
            record({ status, responseHeaders, responseBody: text })
            return text
          } catch (error) {
            record({ status, responseHeaders, responseBody: null })
            throw error
          }
        },
      }
    } catch (error) {
      record({ status: null, responseHeaders: {}, responseBody: null })
      throw error
    }
  }
}
