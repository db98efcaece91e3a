import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { findForbidden, isTooDeep } from '../../../infra/http/find-forbidden.ts'
import { readForm } from '../../media/upload/read-form.ts'
import type { StoredFile } from '../../media/upload/store-file.ts'
import { storeStream } from '../../media/upload/store-stream.ts'
import { problem } from '../../../infra/problem/problem.ts'

type Target = { workspaceId: string; stored: StoredFile[] }

/** Form fields that are not plain text. */
const jsonFields = new Set(['saveDraft', 'async', 'platformOptions', 'mediaOptions'])
const listFields = new Set(['connections', 'medias'])

/**
 * Reads a post sent as a form: fields by their names, lists as repeated `name[]` parts or one JSON part, objects as JSON, files as
 * `medias[]`. Files are stored as they arrive and appear in the result under the ids that they will have.
 */
export async function readPostForm(
  ctx: Context,
  request: FastifyRequest,
  { workspaceId, stored }: Target,
): Promise<{ body: unknown; fingerprint: Buffer }> {
  const body: Record<string, unknown> = {}
  const hash = createHash('sha256')
  const add = (name: string, value: unknown) => {
    const known = body[name]
    body[name] = Array.isArray(known) ? [...known, value] : [value]
  }
  for await (const part of readForm(request)) {
    const name = part.fieldname.replace(/\[\]$/, '')
    hash.update(`${part.fieldname}\0`)
    if (part.type === 'file') {
      if (name !== 'medias')
        throw problem('request_invalid', { details: [{ path: part.fieldname, message: 'Files go into parts named medias[].' }] })
      const file = await storeStream(ctx, { workspaceId, name: part.filename, source: part.file })
      stored.push(file)
      hash.update(file.row.sha256)
      add(name, file.row.id)
      continue
    }
    const text = String(part.value)
    hash.update(`${text}\0`)
    if (part.fieldname.endsWith('[]')) add(name, text)
    else if (name === 'firstComment') body[name] = text.startsWith('{') ? parse(name, text) : text
    else if (listFields.has(name)) {
      // Clients made from the OpenAPI document repeat the plain name.
      if (text.startsWith('[')) body[name] = parse(name, text)
      else add(name, text)
    } else body[name] = jsonFields.has(name) ? parse(name, text) : text
  }
  refuseForbidden(body)
  return { body, fingerprint: hash.digest() }
}

function parse(name: string, text: string): unknown {
  if (isTooDeep(text)) throw problem('request_invalid', { details: [{ path: name, message: 'It is nested too deeply.' }] })
  try {
    return JSON.parse(text)
  } catch {
    throw problem('request_invalid', { details: [{ path: name, message: 'This part must be JSON.' }] })
  }
}

function refuseForbidden(body: Record<string, unknown>): void {
  const path = findForbidden(body)
  if (path === null) return
  throw problem('request_invalid', {
    details: [{ path, message: 'A NUL character, broken Unicode or a reserved name cannot be accepted.' }],
  })
}
