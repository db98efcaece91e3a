import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '@carillon/stack/services'
import { describe, expect, test } from 'vitest'
import { makePng } from '../support/files.ts'
import { useWebhookReceiver } from '../support/webhook-receiver.ts'
import {
  bluesky,
  carillon,
  findPlatformPosts,
  mastodon,
  testStack,
  timeAfter,
  uniqueText,
  waitUntilFinished,
} from '../test-stack.ts'

/*
 * n8n itself is too large for this suite. These tests do with the description of the node what n8n documents for declarative nodes: they evaluate its
 * expressions, collect the parts of the request, and take the result out of the response.
 */
type Routing = {
  request?: { method?: string; url?: string; headers?: Record<string, string>; body?: object; qs?: Record<string, string> }
  send?: { type?: string; property?: string; value?: string; preSend?: ((this: unknown, request: Request) => Promise<Request>)[] }
  output?: { postReceive?: { type: string; properties: Record<string, string> }[] }
}
type Property = {
  name: string
  default?: unknown
  routing?: Routing
  options?: (Property & { value?: string })[]
  displayOptions?: { show?: Record<string, string[]>; hide?: Record<string, string[]> }
  typeOptions?: { loadOptions?: { routing: Routing } }
}
type Request = { method: string; url: string; headers: Record<string, string>; body: unknown; qs: Record<string, string> }
type Node = { description: { properties: Property[]; usableAsTool?: boolean; events?: unknown } }

const credentials = { baseUrl: testStack.baseUrl, apiKey: testStack.apiKey, workspaceId: testStack.workspaceId }
const folder = join(root, 'integrations/n8n')
const load = async (path: string) =>
  (await import(/* @vite-ignore */ pathToFileURL(join(folder, path)).href)) as Record<string, new () => Node>
const { Carillon } = await load('nodes/Carillon/Carillon.node.ts')
const { CarillonTrigger } = await load('nodes/Carillon/CarillonTrigger.node.ts')
const { CarillonApi } = await load('credentials/CarillonApi.credentials.ts')
if (!Carillon || !CarillonTrigger || !CarillonApi) throw new Error('the node does not export its classes')
const { properties } = new Carillon().description

/** The value of an n8n expression, which begins with an equals sign. */
function evaluate(text: unknown, scope: Record<string, unknown>): unknown {
  if (typeof text !== 'string' || !text.startsWith('=')) return text
  const all = { $credentials: credentials, $workflow: { id: 'wf' }, $runIndex: 0, $itemIndex: 0, ...scope }
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- expressions are JavaScript
  const run = (code: string): unknown => new Function(...Object.keys(all), `return (${code})`)(...Object.values(all))
  const whole = /^=\{\{(.*)\}\}$/s.exec(text)
  if (whole && !whole[1]?.includes('}}')) return run(whole[1] ?? '')
  return text.slice(1).replaceAll(/\{\{(.*?)\}\}/g, (_all, code: string) => String(run(code)))
}

function isShown({ displayOptions }: Property, parameters: Record<string, unknown>): boolean {
  const has = ([name, values]: [string, string[]]) => values.includes(String(parameters[name]))
  return Object.entries(displayOptions?.show ?? {}).every(has) && !Object.entries(displayOptions?.hide ?? {}).some(has)
}

/** Runs one item through the node, and gives what it would hand to the next one. */
async function runNode(given: Record<string, unknown>, more: Record<string, unknown> = {}): Promise<never> {
  const shown = properties.filter((property) => isShown(property, { resource: 'post', ...given }))
  const scope = { $execution: { id: uniqueText('run') }, $nodeId: 'n1', ...more }
  const defaults = Object.fromEntries(shown.map((each) => [each.name, evaluate(each.default, scope)]))
  const parameters: Record<string, unknown> = { ...defaults, ...given }
  const request: Request = { method: 'GET', url: '', headers: {}, body: undefined, qs: {} }
  const after: NonNullable<Routing['output']>['postReceive'] = []
  const pre: NonNullable<NonNullable<Routing['send']>['preSend']> = []
  const apply = ({ request: part = {}, send: sent, output }: Routing, $value: unknown) => {
    const here = { ...scope, $parameter: parameters, $value }
    const filled = (texts: Record<string, string> = {}) =>
      Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, String(evaluate(text, here))]))
    if (part.method) request.method = part.method
    if (part.url) request.url = String(evaluate(part.url, here))
    if (part.body) request.body = { ...part.body }
    Object.assign(request.headers, filled(part.headers))
    Object.assign(request.qs, filled(part.qs))
    if (sent?.property)
      request.body = { ...(request.body as object), [sent.property]: sent.value ? evaluate(sent.value, here) : $value }
    pre.push(...(sent?.preSend ?? []))
    after.push(...(output?.postReceive ?? []))
  }
  for (const property of shown) {
    const value = parameters[property.name]
    const chosen = property.options?.find((option) => option.value !== undefined && option.value === value)
    if (chosen?.routing) apply(chosen.routing, value)
    if (property.routing) apply(property.routing, value)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      for (const [name, inner] of Object.entries(value)) {
        const option = property.options?.find((each) => each.name === name)
        if (option?.routing) apply(option.routing, inner)
      }
  }
  let ready = request
  for (const step of pre) ready = await step.call(more['context'], ready)
  return (await send(ready, after)) as never
}

async function send(
  { method, url, headers, body, qs }: Request,
  after: { type: string; properties: Record<string, string> }[],
): Promise<unknown> {
  const { authenticate } = new (CarillonApi as unknown as new () => {
    authenticate: { properties: { headers: Record<string, string> } }
  })()
  const signed = Object.fromEntries(
    Object.entries(authenticate.properties.headers).map(([name, text]) => [name, String(evaluate(text, {}))]),
  )
  const isForm = body instanceof FormData
  const response = await fetch(`${credentials.baseUrl}${url}?${new URLSearchParams(qs).toString()}`, {
    method,
    headers: { ...headers, ...signed, ...(body !== undefined && !isForm && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  })
  const answer: unknown = await response.json()
  if (!response.ok) throw new Error(JSON.stringify(answer))
  return after
    .filter(({ type }) => type === 'rootProperty')
    .reduce(
      (found, { properties: { property = '' } }) =>
        property.split('.').reduce((at, name) => (at as Record<string, unknown>)[name], found),
      answer,
    )
}

/** Guarantee: each operation of the node is a request that the service accepts, and a repeated item makes no second post. */
describe('the node', () => {
  test('publishes a text and photos, once for each item of each node, and shows the results', async () => {
    const text = uniqueText('by n8n')
    const given = { operation: 'createText', connections: [bluesky, mastodon], text, additionalFields: {} }
    const run = { $execution: { id: text } }
    const { uploadId } = await runNode(given, run)
    expect(await runNode(given, run)).toMatchObject({ uploadId })
    const other = await runNode(given, { ...run, $nodeId: 'n2' })
    expect(other).not.toMatchObject({ uploadId })
    await waitUntilFinished(uploadId)
    const shown = await runNode({ operation: 'get', postId: uploadId })
    expect(shown).toMatchObject({ uploadId, status: 'completed', text })
  })

  test('checks, schedules, finds, moves and refuses', async () => {
    const text = uniqueText('planned by n8n')
    const [first, second] = [timeAfter(3_600_000), timeAfter(7_200_000)]
    const accounts = { connections: [bluesky], text }
    expect(await runNode({ operation: 'validate', type: 'text', ...accounts })).toMatchObject({ valid: true })
    const { uploadId } = await runNode({
      operation: 'createText',
      ...accounts,
      additionalFields: { scheduledAt: first, aiGenerated: true },
    })
    const found = await runNode({ operation: 'getAll', limit: 5, filters: { search: text, status: 'scheduled' } })
    expect(found).toMatchObject([{ uploadId, scheduledAt: first, aiGenerated: true }])
    await runNode({ operation: 'reschedule', postId: uploadId, scheduledAt: second })
    expect(await carillon.content.get(uploadId)).toMatchObject({ scheduledAt: second })
    await expect(runNode({ operation: 'retry', postId: uploadId })).rejects.toThrow('nothing_to_retry')
    await carillon.content.remove(uploadId)
  })

  test('uploads a file of the item, and publishes it by its id', async () => {
    const bytes = Buffer.from(makePng(23))
    const context = {
      getNodeParameter: () => 'data',
      helpers: {
        assertBinaryData: () => ({ fileName: 'tower.png', mimeType: 'image/png' }),
        getBinaryDataBuffer: () => Promise.resolve(bytes),
      },
    }
    const media = await runNode({ resource: 'media', operation: 'upload', binaryPropertyName: 'data' }, { context })
    expect(media).toMatchObject({ name: 'tower.png', type: 'image', sizeBytes: bytes.length })
    const text = uniqueText('a photo by n8n')
    const medias = (media as { id: string }).id
    const { uploadId } = await runNode({
      operation: 'createPhotos',
      connections: [bluesky],
      text,
      medias: ` ${medias} , `,
      additionalFields: {},
    })
    await waitUntilFinished(uploadId)
    expect((await findPlatformPosts(text)).map((post) => post.media.length)).toEqual([1])
  })

  test('offers the accounts of the workspace, and is a tool for agents', async () => {
    const routing = properties.find(({ name }) => name === 'connections')?.typeOptions?.loadOptions?.routing
    const { url = '', method = '' } = routing?.request ?? {}
    const request = { method, url: String(evaluate(url, {})), headers: {}, body: undefined, qs: {} }
    const listed = (await send(request, routing?.output?.postReceive ?? [])) as Record<string, unknown>[]
    const keys = routing?.output?.postReceive?.find(({ type }) => type === 'setKeyValue')?.properties ?? {}
    const choices = listed.map(($responseItem) => [
      evaluate(keys['name'], { $responseItem }),
      evaluate(keys['value'], { $responseItem }),
    ])
    expect(choices.map(([, value]) => value)).toEqual(expect.arrayContaining([bluesky, mastodon]))
    expect(choices.find(([, value]) => value === bluesky)?.[0]).toMatch(/ \(bluesky\)$/)
    expect(new Carillon().description.usableAsTool).toBe(true)
  })
})

const receiver = useWebhookReceiver()

type Hooks = Record<'checkExists' | 'create' | 'delete', (this: unknown) => Promise<boolean>>
type Trigger = {
  webhookMethods: { default: Hooks }
  webhook: (this: unknown) => Promise<{ workflowData?: { event: string }[][]; noWebhookResponse?: boolean }>
}

/** Guarantee: the trigger receives what Carillon signed, and nothing else starts a workflow. */
test('the trigger makes its webhook, verifies deliveries, and removes it', async () => {
  const trigger = new (CarillonTrigger as unknown as new () => Trigger)()
  const stored: Record<string, unknown> = {}
  const path = `/n8n-${uniqueText('').trim()}`
  const sendJson = async ({ method, url, body }: { method: string; url: string; body?: object }) =>
    send({ method, url, headers: {}, body, qs: {} }, []).catch((error: Error) => {
      throw Object.assign(error, { httpCode: error.message.includes('not_found') ? '404' : '500' })
    })
  const context = {
    getWorkflowStaticData: () => stored,
    getNodeParameter: () => ['webhook.test', 'upload.failed'],
    getNodeWebhookUrl: () => receiver.url(path),
    getCredentials: () => Promise.resolve(credentials),
    helpers: {
      httpRequestWithAuthentication: (_name: string, options: never) => sendJson(options),
      returnJsonArray: (events: unknown[]) => events,
    },
  }
  // n8n calls it with `call`, so the first argument is its own `this`.
  const { checkExists, create, delete: remove } = trigger.webhookMethods.default
  expect(await checkExists.call(context)).toBe(false)
  await create.call(context)
  expect(await checkExists.call(context)).toBe(true)
  const id = String(stored['webhookId'])
  await carillon.webhooks.test(id)
  const { headers, body } = await receiver.waitFor(path, () => true)

  const deliver = async (text: string, change: Record<string, string> = {}) => {
    let status = 0
    const answer = { status: (code: number) => ((status = code), answer), send: () => answer }
    const here = {
      ...context,
      getRequestObject: () => ({ rawBody: Buffer.from(text) }),
      getHeaderData: () => ({ ...headers, ...change }),
      getResponseObject: () => answer,
    }
    const result = await trigger.webhook.call(here)
    return result.noWebhookResponse === true ? status : result.workflowData?.[0]?.[0]?.event
  }
  const at = String(Math.floor(Date.now() / 1000) - 301)
  const key = Buffer.from(String(stored['secret']).slice('whsec_'.length), 'base64')
  const old = `v1,${createHmac('sha256', key).update(`${headers['webhook-id']}.${at}.${body}`).digest('base64')}`
  expect(await deliver(body)).toBe('webhook.test')
  expect(await deliver(`${body} `)).toBe(400)
  expect(await deliver(body, { 'webhook-signature': 'v1,AAAA' })).toBe(400)
  expect(await deliver(body, { 'webhook-timestamp': at, 'webhook-signature': old })).toBe(400)
  expect(await deliver(body, { 'webhook-timestamp': 'soon' })).toBe(400)

  await remove.call(context)
  await expect(carillon.webhooks.get(id)).rejects.toMatchObject({ code: 'webhook_not_found' })
  await remove.call(context)
  expect(stored).toEqual({})
})
