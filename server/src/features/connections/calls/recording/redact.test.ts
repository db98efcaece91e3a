import { expect, test } from 'vitest'
import { numberPlaceholders, redact, type RawExchange } from './redact.ts'

const redaction = { salt: 'of this recording', own: ['status', '90210'] }

const empty: RawExchange = {
  method: 'POST',
  url: 'https://social.example/api/v1/statuses',
  requestHeaders: {},
  requestBody: null,
  status: 200,
  responseHeaders: { 'content-type': 'application/json; charset=utf-8' },
  responseBody: null,
  ms: 12.3,
}

/** None of them has a form by which it could be recognised as a secret. */
const secrets = ['hunter2horse', 'Ada Lovelace', 'ada@example.org', '+49 171 5550100', 'at_9f8e7d6c5b', 'Quietly']

function encodings(secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [secret, encodeURIComponent(secret), bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')]
}

function multipart(fields: Record<string, string>): { body: string; type: string } {
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--b\r\ncontent-disposition: form-data; name="${name}"; filename="${value}.png"\r\ncontent-type: image/png\r\n\r\n${value}\r\n` +
      `--b\r\ncontent-disposition: form-data; name="description"\r\n\r\n${value}\r\n`,
  )
  return { body: `${parts.join('')}--b--\r\n`, type: 'multipart/form-data; boundary=b' }
}

/** Every place of an exchange in which a value can stand. */
function plant(value: string): Record<string, RawExchange> {
  const form = multipart({ file: value })
  const quoted = JSON.stringify(value)
  const json = (text: string) => ({ ...empty, responseBody: text })
  return {
    'request header': { ...empty, requestHeaders: { authorization: `Bearer ${value}`, 'content-range': value, cookie: value } },
    'response header': {
      ...empty,
      responseHeaders: { 'retry-after': value, etag: value, 'set-cookie': value, 'content-type': value },
    },
    path: { ...empty, url: `https://social.example/api/v1/statuses/${encodeURIComponent(value)}/context` },
    host: { ...empty, url: `https://${Buffer.from(value).toString('hex')}.example/${encodeURIComponent(value)}` },
    query: {
      ...empty,
      url: `https://social.example/api?limit=20&access_token=${encodeURIComponent(value)}&fields=${encodeURIComponent(`id,${value}`)}`,
    },
    'query name': { ...empty, url: `https://social.example/api?${encodeURIComponent(`${value}-1`)}=1` },
    'form body': {
      ...empty,
      requestHeaders: { 'content-type': 'application/x-www-form-urlencoded' },
      requestBody: new URLSearchParams({ password: value, code: value }).toString(),
    },
    'JSON body': { ...empty, requestHeaders: { 'content-type': 'application/json' }, requestBody: `{"text":${quoted}}` },
    'nested JSON': json(`{"data":[{"user":{"name":${quoted},"type":[[${quoted}]]}}],"state":${quoted},"id":${quoted}}`),
    'JSON inside JSON': json(JSON.stringify({ message: `{"name":${quoted}}` })),
    'name of a field': json(`{"users":{${JSON.stringify(`${value}-1`)}:1}}`),
    'multipart body': { ...empty, requestHeaders: { 'content-type': form.type }, requestBody: Buffer.from(form.body) },
    'broken multipart': {
      ...empty,
      requestHeaders: { 'content-type': 'multipart/form-data; boundary=c' },
      requestBody: form.body,
    },
    'error text': { ...empty, status: 400, responseBody: `{"error":{"message":"No: ${value}","code":190,"type":${quoted}}}` },
    'error page': { ...empty, status: 502, responseHeaders: { 'content-type': 'text/html' }, responseBody: `<h1>${value}</h1>` },
    'plain text': { ...empty, responseHeaders: {}, responseBody: value },
    'broken JSON': json(`{"name":${quoted}`),
    'binary body': { ...empty, requestHeaders: { 'content-type': 'image/png' }, requestBody: Buffer.from(value) },
  }
}

const cases = secrets
  .flatMap(encodings)
  .flatMap((value) => Object.entries(plant(value)).map(([place, exchange]) => ({ place, value, exchange })))

test('guarantee: a secret is replaced wherever it stands in an exchange, and however it is encoded', async () => {
  const leaks: string[] = []
  for (const { place, value, exchange } of cases) {
    const text = JSON.stringify(numberPlaceholders(await redact(exchange, redaction)))
    const found = secrets.flatMap(encodings).find((secret) => text.toLowerCase().includes(secret.toLowerCase()))
    if (found !== undefined) leaks.push(`${place}: ${value} as ${found} in ${text}`)
  }
  expect(leaks).toEqual([])
  expect(cases.length).toBeGreaterThan(500)
})

test('guarantee: a word of the platform is replaced if it is also the handle or the id of the account', async () => {
  const responseBody = '{"type":"status","status":"video","users":{"status":1},"id":90210,"code":90210}'
  const { response, path } = await redact({ ...empty, url: 'https://a.example/api/status', status: 400, responseBody }, redaction)
  expect(JSON.stringify([response.body, path]).replaceAll('"code":90210', '')).not.toMatch(/"status"[^:]|90210|\/status/)
})

test('what describes the platform is kept: fields, states, types, small numbers and codes', async () => {
  const responseBody =
    '{"id":"109372843234","media_type":"IMAGE","state":"FINISHED","new_field":true,"count":3,"size":123456,"none":null,' +
    '"created_at":"2026-11-18T08:00:00.000Z","list":["a b","c d","e f","g h"]}'
  const call = await redact(
    { ...empty, url: 'https://a.example/api/v1/statuses/109372843234?limit=40&fields=id,permalink', responseBody },
    redaction,
  )
  expect(numberPlaceholders(call)).toEqual({
    method: 'POST',
    path: '/api/v1/statuses/id-1',
    query: { limit: '40', fields: 'id,permalink' },
    request: { headers: {}, body: null },
    status: 200,
    response: {
      headers: { 'content-type': 'application/json' },
      body: {
        id: 'id-1',
        media_type: 'IMAGE',
        state: 'FINISHED',
        new_field: true,
        count: 3,
        size: 'id-2',
        none: null,
        created_at: 'time',
        list: ['text-1', 'text-2', '2 more'],
      },
    },
    ms: 12,
  })
})

test('the code of a refusal is kept, also one that we do not know, and its sentence is not', async () => {
  const responseBody = '{"error":{"message":"Ada may not","code":2207051,"type":"OAuthException","error_code":"not_for_you"}}'
  const { response } = await redact({ ...empty, status: 400, responseBody }, redaction)
  expect(numberPlaceholders(response.body)).toEqual({
    error: { message: 'text-1', code: 2_207_051, type: 'OAuthException', error_code: 'not_for_you' },
  })
  const accepted = await redact({ ...empty, responseBody }, redaction)
  expect(JSON.stringify(accepted.response.body)).not.toMatch(/not_for_you|2207051/)
})

test('the same value has the same placeholder in all processes of a recording, and another one in the next recording', async () => {
  const exchange = { ...empty, responseBody: '{"id":"abc-1","parent":"abc-1","other":"abc-2"}' }
  const [first, second, next] = [
    await redact(exchange, redaction),
    await redact(exchange, { ...redaction }),
    await redact(exchange, { ...redaction, salt: 'another' }),
  ]
  expect(first).toEqual(second)
  expect(JSON.stringify(next)).not.toBe(JSON.stringify(first))
  const body = { id: 'id-1', parent: 'id-1', other: 'id-2' }
  expect(numberPlaceholders([first, second]).map(({ response }) => response.body)).toEqual([body, body])
})
