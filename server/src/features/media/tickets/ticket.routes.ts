import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { pageLanguage } from '../../../infra/html/render-page.ts'
import { discardBody } from '../../../infra/http/create-body-watch.ts'
import { passOn } from '../../../infra/http/pass-on.ts'
import { Problem, problem } from '../../../infra/problem/problem.ts'
import type { MediaRow } from '../media.store.ts'
import { type CheckPart, readForm } from '../upload/read-form.ts'
import { loadOpenTicket, receiveByTicket, type Secret } from './receive-by-ticket.ts'
import { sendTicketPage } from './ticket-page.ts'
import type { TicketRow } from './upload-ticket.store.ts'

type Params = Secret & { name?: string }

/**
 * The addresses of upload tickets, outside of /api: programs send a file with PUT, people open them as a page with a form. The secret in the
 * address is the only permission; keys and cookies are ignored.
 */
export function ticketRoutes(app: FastifyInstance, ctx: Context): void {
  void app.register((scope, _options, done) => {
    // A file is read as it arrives, whatever its content type.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null))
    scope.get<{ Params: Params }>('/uploads/:id/:token', (request, reply) => showPage(ctx, request, reply))
    scope.post<{ Params: Params }>('/uploads/:id/:token', (request, reply) => receiveForm(ctx, request, reply))
    for (const url of ['/uploads/:id/:token', '/uploads/:id/:token/', '/uploads/:id/:token/:name'])
      scope.put<{ Params: Params }>(url, (request, reply) => receiveBody(ctx, request, reply))
    done()
  })
}

type TicketRequest = FastifyRequest<{ Params: Params }>

async function receiveBody(ctx: Context, request: TicketRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { raw, params } = request
  try {
    const ticket = await loadOpenTicket(ctx, params)
    const row = await receive(ctx, request, ticket, async () => ({ name: params.name ?? 'file', source: passOn(raw) }))
    return await reply.status(201).send({ success: true, data: present(row) })
  } catch (error) {
    discardBody(raw)
    throw raw.destroyed && !raw.complete
      ? problem('bad_request', { message: 'The file did not arrive completely.', cause: error })
      : error
  }
}

/** A page must tell people what happened in words: they have no program that reads an error. */
async function receiveForm(ctx: Context, request: TicketRequest, reply: FastifyReply): Promise<FastifyReply> {
  const language = pageLanguage(request)
  try {
    const ticket = await loadOpenTicket(ctx, request.params)
    await receive(ctx, request, ticket, () => readOnlyFile(request))
    return sendTicketPage(reply, { language, state: 'arrived' }, 201)
  } catch (error) {
    discardBody(request.raw)
    if (!(error instanceof Problem) || error.status >= 500) throw error
    const refused =
      error.code === 'upload_ticket_ended' ? ({ state: 'ended' } as const) : ({ state: 'refused', code: error.code } as const)
    return sendTicketPage(reply, { language, ...refused }, error.status)
  }
}

async function showPage(ctx: Context, request: TicketRequest, reply: FastifyReply): Promise<FastifyReply> {
  const language = pageLanguage(request)
  try {
    const { size_bytes_max: bytesMax } = await loadOpenTicket(ctx, request.params)
    return sendTicketPage(reply, { language, state: 'open', bytesMax: Number(bytesMax) })
  } catch (error) {
    if (error instanceof Problem && error.code === 'upload_ticket_ended')
      return sendTicketPage(reply, { language, state: 'ended' }, error.status)
    throw error
  }
}

type Read = Parameters<typeof receiveByTicket>[2]['read']

function receive(ctx: Context, request: TicketRequest, ticket: TicketRow, read: Read): Promise<MediaRow> {
  const { headers, id: traceId, server } = request
  return receiveByTicket(ctx, ticket, { hooks: server.hooks, traceId, read, lengthBytes: lengthOf(headers) })
}

/** A form is a little larger than its file, so only what a program sends is refused by its length. */
function lengthOf(headers: FastifyRequest['headers']): number {
  const isForm = headers['content-type']?.toLowerCase().startsWith('multipart/form-data') ?? false
  return isForm ? 0 : Number(headers['content-length'] ?? 0)
}

async function readOnlyFile(request: FastifyRequest): ReturnType<Read> {
  let files = 0
  const check: CheckPart = ({ type, fieldname }) =>
    type === 'file' && fieldname === 'file' && files++ === 0 ? null : missingFile()
  const parts = readForm(request, check)
  const { value: part } = await parts.next()
  if (part?.type !== 'file') throw missingFile()
  return { name: part.filename, source: part.file }
}

function missingFile(): Problem {
  return problem('request_invalid', { details: [{ path: 'file', message: 'Send one file in a part named file.' }] })
}

/** What whoever sent the file may know. The addresses of the file are for members. */
function present({ id, name, type, mime_type: mimeType, size_bytes: sizeBytes }: MediaRow) {
  return { id, name, type, mimeType, sizeBytes: Number(sizeBytes) }
}
