import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { findForbidden, isTooDeep } from '../../../infra/http/find-forbidden.ts'
import { readForm } from '../../media/upload/read-form.ts'
import type { StoredFile } from '../../media/upload/store-file.ts'
import { createFileQueue } from './prepare-with-files.ts'
import { problem, type Problem } from '../../../infra/problem/problem.ts'

type Target = { workspaceId: string; stored: StoredFile[]; fields: ReadonlySet<string> }

/** Form fields that are not plain text. */
const jsonFields = new Set([
  'saveDraft',
  'submit',
  'async',
  'aiGenerated',
  'platformOptions',
  'mediaOptions',
  'metadata',
  'thread',
])
const listFields = new Set(['connections', 'medias', 'labels'])

/**
 * Reads a post sent as a form: fields by their names, lists as repeated `name[]` parts or one JSON part, objects as JSON, files as
 * `medias[]`. Files are stored as they arrive and appear in the result under the ids that they will have.
 */
export async function readPostForm(
  ctx: Context,
  request: FastifyRequest,
  { workspaceId, stored, fields }: Target,
): Promise<{ body: unknown; fingerprint: Buffer }> {
  const body: Record<string, unknown> = {}
  const hash = createHash('sha256')
  const queue = createFileQueue(ctx, workspaceId)
  const files = new Map<unknown, Promise<StoredFile>>()
  const add = (name: string, value: unknown) => {
    const known = body[name]
    body[name] = Array.isArray(known) ? [...known, value] : [value]
  }
  try {
    for await (const part of readForm(request, (head) => checkPart(head, fields))) {
      const name = nameOf(part.fieldname)
      hash.update(`${part.fieldname}\0`)
      if (part.type === 'file') {
        const { file, sha256 } = await queue.add(part.file, part.filename)
        hash.update(sha256)
        files.set(file, file)
        add(name, file)
        continue
      }
      const text = part.value
      hash.update(`${text}\0`)
      if (part.fieldname.endsWith('[]')) add(name, text)
      else if (name === 'firstComment') body[name] = text.startsWith('{') ? parse(name, text) : text
      else if (listFields.has(name)) {
        // Clients made from the OpenAPI document repeat the plain name.
        if (text.startsWith('[')) body[name] = parse(name, text)
        else add(name, text)
      } else body[name] = jsonFields.has(name) ? parse(name, text) : text
    }
  } finally {
    // Also after a failure: what was stored has to be known, to be discarded.
    stored.push(...(await queue.settle()))
  }
  const idOf = async (entry: unknown) => (await files.get(entry))?.row.id ?? entry
  for (const [name, value] of Object.entries(body)) if (Array.isArray(value)) body[name] = await Promise.all(value.map(idOf))
  refuseForbidden(body)
  return { body, fingerprint: hash.digest() }
}

/** A field that is not known is refused before its content is read. */
function checkPart(
  { type, fieldname }: { type: 'field' | 'file'; fieldname: string },
  fields: ReadonlySet<string>,
): Problem | null {
  const refuse = (message: string) => problem('request_invalid', { details: [{ path: fieldname.slice(0, 100), message }] })
  if (type === 'file') return nameOf(fieldname) === 'medias' ? null : refuse('Files go into parts named medias[].')
  return fields.has(nameOf(fieldname)) ? null : refuse('This field is not known here.')
}

function nameOf(fieldname: string): string {
  return fieldname.endsWith('[]') ? fieldname.slice(0, -2) : fieldname
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
