import type { Static, TSchema } from 'typebox'
import type { PlatformError } from './platform-error.ts'

/** What the server gives the kit to reach the network with: the guarded client, one pool a platform. */
export type Transport = (request: {
  method: string
  url: string
  headers: Record<string, string>
  body: string | Uint8Array | ReadableStream<Uint8Array> | null
  /** For the whole exchange, the body's last byte included. */
  timeoutMs: number
}) => Promise<TransportReply>

export type TransportReply = {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  /** Reads the body whole; rejects once it is larger than `bytesMax`. */
  text(bytesMax: number): Promise<string>
}

/** Thrown by a transport when no connection was made: the request certainly did not leave. */
export class NotConnected extends Error {}

/** Turns a refusal of the platform into one of the six kinds, from a table of the platform's own codes. */
export type Classify = (reply: { status: number; headers: Record<string, string>; body: unknown }, nowMs: number) => PlatformError

/** How a token travels: a bearer header unless the connector says otherwise. */
export type Attach = (accessToken: string) => { headers?: Record<string, string>; query?: Record<string, string> }

export type Call<Schema extends TSchema> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** A path below the origin, or an absolute URL. */
  path: string
  query?: Record<string, string | readonly string[] | undefined>
  json?: unknown
  form?: Record<string, string | undefined>
  multipart?: FormData
  bytes?: { body: Uint8Array | ReadableStream<Uint8Array>; mimeType: string }
  headers?: Record<string, string>
  /** What the answer must look like; a success of another shape is `unknown`. */
  returns: Schema
  /** Do not send the access token. */
  anonymous?: boolean
  /** For calls that carry media and so take longer than the rest. */
  timeoutMs?: number
}

/** A success with all it brought, for platforms that answer in a header or a status. */
export type Answer<Schema extends TSchema> = { status: number; headers: Record<string, string>; body: Static<Schema> }

/** How a connector speaks HTTP: one origin, the token attached, every failure a PlatformError. */
export type Http = {
  readonly origin: string
  call<Schema extends TSchema>(call: Call<Schema>): Promise<Static<Schema>>
  exchange<Schema extends TSchema>(call: Call<Schema>): Promise<Answer<Schema>>
}
