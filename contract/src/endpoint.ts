import { Type, type Static, type TSchema } from 'typebox'
import type { Role, Scope } from './access.ts'
import type { ErrorCode } from './errors.ts'
import { StrictObject } from './primitives.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** The definition of one endpoint. The router, the OpenAPI document and the SDK are all built from it. */
export type Endpoint<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Returns extends TSchema = TSchema,
> = {
  id: string
  method: Method
  /** The path below the base path, with `:name` for parameters. */
  path: string
  /** Set if the path is not below the base path of the API, but below the host itself. */
  base?: 'host'
  summary: string
  /** The scope that an API key needs. */
  scope: Scope
  /** The lowest role that may call it. */
  role: Role
  /** Where the request names its workspace. */
  workspace: 'header' | 'path' | 'none'
  params?: Params
  query?: Query
  body?: Body
  /** A request without a body is one with an empty object. */
  isBodyOptional?: true
  /**
   * A multipart/form-data body, instead of `body` or beside it. The handler reads it as a stream, so the schema is only used for the
   * OpenAPI document.
   */
  form?: TSchema
  returns: Returns
  /** The response contains a secret that is shown once. A repeated request with the same Idempotency-Key is answered without it. */
  returnsSecret?: true
  /** Set if the successful response is a file of this type instead of the JSON envelope. */
  produces?: 'text/csv' | 'application/jsonl'
  /** The most bytes that a JSON body may have, where the usual limit of a million is too low. */
  bodyBytesMax?: number
  /** The response is compressed for clients that accept gzip. Only for long responses without secrets. */
  compress?: true
  ok: 200 | 201
  /** Other success statuses, for example 202 for an asynchronous create. */
  also?: readonly number[]
  /** Whether the response is an object with `updatedAt`, from which its ETag header is made. */
  hasETag?: true
  /** Whether the request may have an If-Match header. */
  ifMatch?: true
  /** Whether the request may have the header `Prefer: autosave`. */
  autosave?: true
  errors: readonly ErrorCode[]
  /** The name of the action in the audit log; null for an endpoint that changes nothing. */
  audit: string | null
}

/** Infers the schema types of an endpoint definition. It returns the definition unchanged. */
export function endpoint<Params extends TSchema, Query extends TSchema, Body extends TSchema, Returns extends TSchema>(
  definition: Endpoint<Params, Query, Body, Returns>,
): Endpoint<Params, Query, Body, Returns> {
  return definition
}

export type ParamsOf<E> = E extends { params?: infer S extends TSchema } ? Static<S> : never
export type QueryOf<E> = E extends { query?: infer S extends TSchema } ? Static<S> : never
export type BodyOf<E> = E extends { body?: infer S extends TSchema } ? Static<S> : never
export type ReturnsOf<E> = E extends { returns: infer S extends TSchema } ? Static<S> : never

const Id = Type.String({ minLength: 1, maxLength: 64 })

/** Parameters of the paths below `/workspaces/:id`, where `id` is the workspace. */
export const WorkspaceParam = StrictObject({ id: Id })
export const ConnectionParam = StrictObject({ id: Id, connId: Id })
export const MemberParam = StrictObject({ id: Id, userId: Id })
export const InvitationParam = StrictObject({ id: Id, inviteId: Id })
export const ApiKeyParam = StrictObject({ id: Id, keyId: Id })

/** What endpoints that read or change a workspace have in common. */
export const readWorkspace = { scope: 'workspaces:read', role: 'viewer', workspace: 'path', ok: 200, audit: null } as const
export const manageWorkspace = { scope: 'workspaces:write', role: 'admin', workspace: 'path', ok: 200 } as const
