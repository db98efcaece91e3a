import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem, problem } from '../../../infra/problem/problem.ts'
import { discardBody } from '../../../infra/http/create-body-watch.ts'

export type FormPart =
  | { type: 'field'; fieldname: string; value: string }
  | { type: 'file'; fieldname: string; filename: string; file: Readable }

type PartHead = Pick<FormPart, 'type' | 'fieldname'>

/** Decides by its name whether a part may be sent. A part that may not ends the form before its content is read. */
export type CheckPart = (part: PartHead) => Problem | null

/** All fields together: as much as a JSON body may have. Files are checked while they are written and have no limit here. */
const fieldBytesMax = 1_000_000
const limits = {
  fileSize: Infinity,
  fieldSize: fieldBytesMax,
  fields: 100,
  files: 50,
  parts: 150,
  headerPairs: 50,
  headerSize: 16_384,
}

/** Adds routes that accept multipart bodies, read part by part as they arrive. All other routes refuse them. */
export function withForms(app: FastifyInstance, add: (scope: FastifyInstance) => void): void {
  void app.register(async (scope) => {
    // The handler reads the body itself, after the caller and the parameters have been checked.
    scope.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null, undefined))
    add(scope)
  })
}

export function isForm({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.toLowerCase().startsWith('multipart/form-data') ?? false
}

/** Yields the parts in the order in which they were sent. A file must be read to its end before the next part is available. */
export async function* readForm(request: FastifyRequest, check: CheckPart): AsyncGenerator<FormPart> {
  if (!isForm(request))
    throw problem('media_type_unsupported', { message: 'This content type is not understood here; send multipart/form-data.' })
  const parts = createPartQueue()
  const stop = parse(request, check, parts)
  try {
    for (let part = await parts.next(); part !== null; part = await parts.next()) yield part
  } finally {
    stop()
  }
}

/** Parses the body into the queue until the form ends or is refused. Returns how to stop earlier. */
function parse({ raw }: FastifyRequest, check: CheckPart, parts: PartQueue): () => void {
  let file: Readable | null = null
  let fieldBytes = 0
  const parser = openParser(raw.headers, (part) => refuse(check(part)))
  const stop = () => {
    raw.off('close', onClose)
    raw.unpipe(parser)
    discardBody(raw)
  }
  const refuse = (error: Error | null) => {
    if (!error) return
    parts.fail(error)
    // A file whose end does not arrive would otherwise be waited for.
    file?.destroy(error)
    stop()
  }
  const onClose = () => {
    if (!raw.readableEnded) refuse(unreadable(new Error('the connection was closed')))
  }
  parser.on('file', (fieldname, stream, filename) => {
    file = stream
    // The reader of the file gets the error; this keeps it from ending the process if there is no reader yet.
    stream.on('error', () => {})
    parts.push({ type: 'file', fieldname: fieldname ?? '', filename: filename ?? '', file: stream })
  })
  parser.on('field', (fieldname, value, _nameTruncated, isTruncated) => {
    fieldBytes += Buffer.byteLength(value)
    if (isTruncated || fieldBytes > fieldBytesMax) refuse(problem('body_too_large'))
    else parts.push({ type: 'field', fieldname: fieldname ?? '', value })
  })
  for (const name of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    parser.on(name, () => refuse(unreadable(new Error(`the form has too many parts (${name})`))))
  parser.on('error', (error) => refuse(unreadable(error)))
  parser.on('finish', () => parts.end())
  raw.on('close', onClose)
  raw.pipe(parser)
  return stop
}

function openParser(headers: FastifyRequest['raw']['headers'], begin: (part: PartHead) => void): BusboyInstance {
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      limits,
      // Called as soon as the head of a part has arrived.
      isPartAFile: (fieldname = '', contentType, filename) => {
        const isFile = contentType === 'application/octet-stream' || filename !== undefined
        begin({ type: isFile ? 'file' : 'field', fieldname })
        return isFile
      },
    })
  } catch (error) {
    throw unreadable(error)
  }
}

function unreadable(cause: unknown): Problem {
  return problem('bad_request', { message: 'The form could not be read to its end.', cause })
}

type PartQueue = ReturnType<typeof createPartQueue>

/** Parts that have arrived and have not been read yet. There are few: the parser waits while a file is not read. */
function createPartQueue() {
  const waiting: FormPart[] = []
  let failure: Error | null = null
  let isEnded = false
  let wake = () => {}
  const change = (apply: () => void) => {
    apply()
    wake()
  }
  return {
    push: (part: FormPart) => change(() => void (failure ?? waiting.push(part))),
    end: () => change(() => (isEnded = true)),
    fail: (error: Error) => change(() => (failure ??= error)),
    async next(): Promise<FormPart | null> {
      while (!failure && waiting.length === 0 && !isEnded) await new Promise<void>((resolve) => (wake = resolve))
      if (failure) throw failure
      return waiting.shift() ?? null
    },
  }
}
