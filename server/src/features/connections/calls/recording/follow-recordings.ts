import type { Context } from '../../../../context.ts'
import { newUuid } from '../../../../infra/db/ids.ts'
import { notify } from '../../../../infra/db/notify.store.ts'
import { dueChannel } from '../../../../infra/engine/notify-workers.store.ts'
import { openRecording, type RecordedCall, type Recording } from './record-calls.ts'

/** Where recorded calls arrive. */
const recordedChannel = 'carillon_recorded'

/** What workers are told with a notification. They get all others without a payload. */
type Order = { record: Recording } | { endRecord: string }
type Message = { recording: string; isReady: true } | { recording: string; call: RecordedCall }
type Piece = { recording: string; message: string; at: number; of: number; text: string }

/** However long a command asks for. */
const recordMsMax = 3_600_000
const recordingsMax = 32
/** PostgreSQL accepts less than 8,000 bytes, and quotes in a piece are escaped. */
const pieceLength = 3_000

function createFollowed() {
  return { value: new Map<string, () => void>() }
}

/** For workers: begins and ends recordings that a command asks for, and sends it what was recorded. */
export function followRecordings(ctx: Context, payload: string): void {
  const order = parse<Order>(payload)
  if (order === null) return
  const followed = ctx.resources.get(createFollowed, ctx)
  if ('endRecord' in order) {
    followed.get(order.endRecord)?.()
    followed.delete(order.endRecord)
    return
  }
  const { record } = order
  if (followed.size >= recordingsMax) return
  const end = openRecording(ctx, {
    ...record,
    untilMs: Math.min(record.untilMs, ctx.nowMs() + recordMsMax),
    deliver: (call) => sendMessage(ctx, { recording: record.id, call }),
  })
  followed.set(record.id, end)
  setTimeout(() => followRecordings(ctx, JSON.stringify({ endRecord: record.id })), recordMsMax).unref()
  sendMessage(ctx, { recording: record.id, isReady: true })
}

function sendMessage(ctx: Context, message: Message): void {
  const text = JSON.stringify(message).replaceAll(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const id = newUuid()
  const of = Math.ceil(text.length / pieceLength)
  const pieces = Array.from({ length: of }, (_, at): Piece => {
    const from = at * pieceLength
    return { recording: message.recording, message: id, at, of, text: text.slice(from, from + pieceLength) }
  })
  void (async () => {
    for (const piece of pieces) await notify(ctx.db.system, recordedChannel, JSON.stringify(piece))
  })().catch((error: unknown) =>
    ctx.log.warn({ err: error }, 'a recorded call could not be sent to the command that asked for it'),
  )
}

type Followed = {
  /** How many workers take part. */
  workers(): number
  end(): Promise<void>
}

/** For a command: lets all workers, and this process, record the calls of a connection. */
export async function recordEverywhere(
  ctx: Context,
  recording: Recording,
  onCall: (call: RecordedCall) => void,
): Promise<Followed> {
  let workers = 0
  const partial = new Map<string, string[]>()
  const stopListening = await ctx.db.listen(recordedChannel, (payload) => {
    const piece = parse<Piece>(payload)
    if (piece === null || piece.recording !== recording.id) return
    const texts = partial.get(piece.message) ?? []
    texts[piece.at] = piece.text
    partial.set(piece.message, texts)
    if (texts.filter((text) => text !== undefined).length < piece.of) return
    partial.delete(piece.message)
    const message = parse<Message>(texts.join(''))
    if (message === null) return
    if ('isReady' in message) workers++
    else onCall(message.call)
  })
  const endOwn = openRecording(ctx, { ...recording, deliver: onCall })
  const order: Order = { record: recording }
  await notify(ctx.db.system, dueChannel, JSON.stringify(order))
  return {
    workers: () => workers,
    async end() {
      endOwn()
      const last: Order = { endRecord: recording.id }
      await notify(ctx.db.system, dueChannel, JSON.stringify(last))
      await stopListening()
    },
  }
}

function parse<T>(text: string): T | null {
  if (text === '') return null
  try {
    return JSON.parse(text) as T
  } catch {
    return null
  }
}
