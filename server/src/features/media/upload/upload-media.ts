import type { Media } from '@carillon/contract'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { Answer } from '../../../infra/http/request-scope.ts'
import type { Prepared } from '../../../infra/http/serve-prepared.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { type StoredFile, discardStoredFile, insertStoredFile, storeStream } from './store-file.ts'
import { presentItem } from '../present-media.ts'
import { readForm, type CheckPart } from './read-form.ts'
import { tooLarge } from './receive-file.ts'

type Upload = { ctx: Context; request: FastifyRequest; principal: { workspaceId: string } }

/** Reads the one file of a form and stores it, ready to be added to the library. */
export async function uploadMedia({ ctx, request, principal }: Upload): Promise<Prepared<Media>> {
  refuseLength(ctx, request)
  const stored = await storeOnlyFile(ctx, request, principal.workspaceId)
  return {
    fingerprint: stored.row.sha256,
    async store({ tx }) {
      const row = await insertStoredFile(ctx, tx, stored)
      return new Answer(await presentItem(ctx, tx, row), { subjectId: row.id })
    },
    discard: () => discardStoredFile(ctx, stored),
  }
}

async function storeOnlyFile(ctx: Context, request: FastifyRequest, workspaceId: string): Promise<StoredFile> {
  let stored: StoredFile | null = null
  try {
    for await (const part of readForm(request, onlyFile())) {
      if (part.type !== 'file') continue
      stored = await storeStream(ctx, { workspaceId, name: part.filename, source: part.file })
    }
  } catch (error) {
    if (stored) await discardStoredFile(ctx, stored)
    throw error
  }
  if (!stored) throw problem('request_invalid', { details: [{ path: 'file', message: 'This part is required.' }] })
  return stored
}

/** Accepts one file in a part named `file`, and nothing else. */
function onlyFile(): CheckPart {
  let files = 0
  return ({ type, fieldname }) => (type === 'file' && fieldname === 'file' && files++ === 0 ? null : unexpectedPart(fieldname))
}

/** Refuses a request by its Content-Length, before the body is read. */
function refuseLength(ctx: Context, { headers }: FastifyRequest): void {
  const { sizeBytesMax } = ctx.config.media
  const formBytes = 100_000
  if (Number(headers['content-length'] ?? 0) > sizeBytesMax + formBytes) throw tooLarge(sizeBytesMax)
}

function unexpectedPart(name: string) {
  const message =
    name === 'file' ? 'One file at a time, as a file.' : 'This part is not known here; send one file in a part named file.'
  return problem('request_invalid', { details: [{ path: name, message }] })
}
