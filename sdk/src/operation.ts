import type { operations } from './schema.gen.ts'

export type OperationId = keyof operations

/** The request body of an operation. Files are `Blob`s or `File`s. */
export type Body<Id extends OperationId> =
  NonNullable<operations[Id]['requestBody']> extends { content: infer Content } ? Content[keyof Content] : never

/** The query parameters of an operation. */
export type Query<Id extends OperationId> = NonNullable<operations[Id]['parameters']['query']>

type Envelope<Data> = { content: { 'application/json': { data: Data } } }

/** The result of an operation: the `data` of its response envelope. */
export type Result<Id extends OperationId> = operations[Id]['responses'] extends { 200: Envelope<infer Data> }
  ? Data
  : operations[Id]['responses'] extends { 201: Envelope<infer Data> }
    ? Data
    : never

/** Options of a single call. They are the last argument of every method. */
export type CallOptions = {
  /** Overrides the workspace of the client. */
  workspaceId?: string
  /** Your own key for a POST or PATCH, so that a new process can safely repeat the call. Default: the SDK generates one per call. */
  idempotencyKey?: string
  /** For a change of a draft: the `updatedAt` of the version that you read. If it was changed since, the call fails with `draft_changed`. */
  ifUpdatedAt?: string
  /** For a change of a draft that a program saves while a person writes: the audit log does not get an entry for each of them. */
  autosave?: boolean
  signal?: AbortSignal
  /** The timeout of each attempt. Default: the setting of the client. */
  timeoutMs?: number
}
