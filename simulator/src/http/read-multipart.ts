import { addField, type Fields } from './fields.ts'

export type Upload = { filename: string; mime: string; bytes: Buffer }
export type Multipart = { fields: Fields; files: Map<string, Upload> }

/** Reads multipart/form-data already held in memory; parts without a filename become fields. */
export function readMultipart(contentType: string, body: Buffer): Multipart {
  const result: Multipart = { fields: {}, files: new Map() }
  const boundary = /boundary="?([^";]+)"?/i.exec(contentType)?.[1]
  if (boundary === undefined) return result
  const mark = Buffer.from(`--${boundary}`)
  let start = body.indexOf(mark)
  while (start !== -1) {
    const next = body.indexOf(mark, start + mark.length)
    if (next === -1) break
    // A part sits between CRLF after its boundary and CRLF before the following one.
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
