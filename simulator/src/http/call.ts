import type { IncomingHttpHeaders } from 'node:http'
import type { Submit } from '../state/submits.ts'
import { addField, isFields, textOf, type Fields } from './fields.ts'
import { readMultipart, type Upload } from './read-multipart.ts'

export type Params = Record<string, string | undefined>

/** Names the WebSocket connection on which a message came. */
export const connectionHeader = 'x-connection'

/** One request, parsed lazily: in a load test most calls never read the query or the body. */
export class Call {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly arrivedAtMs: number
  params: Params = {}
  /** The record of this call, if it asks the platform to publish something. */
  submit: Submit | undefined = undefined
  #search: string
  #query: URLSearchParams | undefined
  #fields: Fields | undefined
  #files: Map<string, Upload> = new Map()

  constructor(parts: { method: string; target: string; headers: IncomingHttpHeaders; body: Buffer; arrivedAtMs: number }) {
    const mark = parts.target.indexOf('?')
    this.method = parts.method
    this.path = mark === -1 ? parts.target : parts.target.slice(0, mark)
    this.#search = mark === -1 ? '' : parts.target.slice(mark + 1)
    this.headers = parts.headers
    this.body = parts.body
    this.arrivedAtMs = parts.arrivedAtMs
  }

  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.#search)
    return this.#query
  }

  /** The fields of the body; undefined if the body is not what its content type says. */
  get fields(): Fields | undefined {
    this.#fields ??= this.#readBody()
    return this.#fields
  }

  get files(): Map<string, Upload> {
    void this.fields
    return this.#files
  }

  /** A parameter that platforms accept both in the query and in the body. */
  parameter(name: string): string | undefined {
    const value = this.fields?.[name]
    return (typeof value === 'boolean' ? String(value) : textOf(value)) ?? this.query.get(name) ?? undefined
  }

  bearer(): string | undefined {
    const header = this.headers.authorization
    return header !== undefined && /^bearer /i.test(header) ? header.slice(7).trim() : undefined
  }

  #readBody(): Fields | undefined {
    const type = this.headers['content-type'] ?? ''
    if (this.body.length === 0) return {}
    if (type.startsWith('multipart/form-data')) {
      const { fields, files } = readMultipart(type, this.body)
      this.#files = files
      return fields
    }
    if (type.startsWith('application/x-www-form-urlencoded')) {
      const fields: Fields = {}
      for (const [name, value] of new URLSearchParams(this.body.toString('utf8'))) addField(fields, name, value)
      return fields
    }
    return type.includes('json') ? readJson(this.body) : {}
  }
}

function readJson(body: Buffer): Fields | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}
