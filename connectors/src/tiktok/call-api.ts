import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { Http } from '../kit/http.ts'
import { classify } from './errors.ts'
import { withEnvelope, Failure } from './wire.ts'

type ApiCall<Schema extends TSchema> = {
  method?: 'GET' | 'POST'
  path: string
  query?: Record<string, string>
  json?: unknown
  returns: Schema
}

/** Makes one call and returns `data` from the answer. TikTok may send an error with status 200; that is an error too. */
export async function callApi<Schema extends TSchema>(
  http: Http,
  { method = 'POST', path, query, json, returns }: ApiCall<Schema>,
) {
  const body: unknown = await http.call({
    method,
    path,
    ...(query && { query }),
    ...(method === 'POST' && { json: json ?? {}, headers: { 'content-type': 'application/json; charset=UTF-8' } }),
    returns: withEnvelope(returns),
  })
  if (Value.Check(Failure, body) && body.error.code !== 'ok') throw classify({ status: 400, headers: {}, body }, 0)
  return (body as { data: Static<Schema> }).data
}
