import type { Static, TSchema } from 'typebox'
import type { Role, Scope } from './access.ts'
import type { ErrorCode } from './errors.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** One promise to clients, as a value: the router, the OpenAPI document and the SDK all come from it. */
export type Endpoint<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Returns extends TSchema = TSchema,
> = {
  id: string
  method: Method
  /** Below the base path, with `:name` for parameters. */
  path: string
  summary: string
  /** What an API key must be allowed to do. */
  scope: Scope
  /** The lowest role that may do it. */
  role: Role
  /** Where the workspace is named. */
  workspace: 'header' | 'path' | 'none'
  params?: Params
  query?: Query
  body?: Body
  /** A multipart/form-data body, which the handler reads as it arrives; the schema is for the document. */
  form?: TSchema
  returns: Returns
  /** A success is a file of this type instead of the JSON envelope. */
  produces?: 'text/csv'
  ok: 200 | 201
  /** Other success statuses, for example 202 for an asynchronous create. */
  also?: readonly number[]
  errors: readonly ErrorCode[]
  /** How the audit log names it; null for what changes nothing. */
  audit: string | null
}

export function endpoint<Params extends TSchema, Query extends TSchema, Body extends TSchema, Returns extends TSchema>(
  facts: Endpoint<Params, Query, Body, Returns>,
): Endpoint<Params, Query, Body, Returns> {
  return facts
}

export type ParamsOf<E> = E extends { params?: infer S extends TSchema } ? Static<S> : never
export type QueryOf<E> = E extends { query?: infer S extends TSchema } ? Static<S> : never
export type BodyOf<E> = E extends { body?: infer S extends TSchema } ? Static<S> : never
export type ReturnsOf<E> = E extends { returns: infer S extends TSchema } ? Static<S> : never
