import type { operations } from './schema.gen.ts'

export type OperationId = keyof operations

/** What an operation takes as its body; where it takes files, they are `Blob`s or `File`s. */
export type Body<Id extends OperationId> = operations[Id] extends { requestBody: { content: infer Content } }
  ? Content[keyof Content]
  : never

/** What an operation takes in its query. */
export type Query<Id extends OperationId> = NonNullable<operations[Id]['parameters']['query']>

type Enveloped<Data> = { content: { 'application/json': { data: Data } } }

/** What an operation answers with, out of its envelope. */
export type Result<Id extends OperationId> = operations[Id]['responses'] extends { 200: Enveloped<infer Data> }
  ? Data
  : operations[Id]['responses'] extends { 201: Enveloped<infer Data> }
    ? Data
    : never

/** What can be said about one call, after its own arguments. */
export type CallOptions = {
  /** Another workspace than the client's. */
  workspaceId?: string
  /** Your own key for a POST or PATCH, so that even a new process repeats it safely. Left out, the SDK makes one per call. */
  idempotencyKey?: string
  signal?: AbortSignal
  /** For each attempt; the client's setting unless given. */
  timeoutMs?: number
}
