import { addField, type Fields } from './fields.ts'

export type Upload = { filename: string; mime: string; bytes: Buffer }
export type Multipart = { fields: Fields; files: Map<string, Upload> }

/**
 * Reads multipart/form-data that is already in memory; text parts without a filename become fields.
 * Busboy and `Response.formData()` are asynchronous, and handlers read `call.fields` synchronously, so this parser is our own.
 */
export function readMultipart(contentType: string, body: Buffer): Multipart {
  const result: Multipart = { fields: {}, files: new Map() }
  const boundary = /boundary="?([^";]+)"?/i.exec(contentType)?.[1]
  if (boundary === undefined) return result
  const mark = Buffer.from(`--${boundary}`)
  let start = body.indexOf(mark)
  while (start !== -1) {
    const next = body.indexOf(mark, start + mark.length)
    if (next === -1) break
    // A part lies between the CRLF after its boundary and the CRLF before the next one.
    readPart(body.subarray(start + mark.length + 2, next - 2), result)
    start = next
  }
  return result
}

function readPart(part: Buffer, into: Multipart): void {
  const split = part.indexOf('\r\n\r\n')
  if (split === -1) return
  const head = part.subarray(0, split).toString('utf8')
  const content = part.subarray(split + 4)
  const name = /[; ]name="([^"]*)"/i.exec(head)?.[1]
  if (name === undefined) return
  const filename = /filename="([^"]*)"/i.exec(head)?.[1]
  const mime = /content-type:\s*([^\r\n;]+)/i.exec(head)?.[1]?.trim()
  if (filename === undefined && (mime === undefined || mime.startsWith('text/')))
    addField(into.fields, name, content.toString('utf8'))
  else into.files.set(name, { filename: filename ?? name, mime: mime ?? 'application/octet-stream', bytes: content })
}
