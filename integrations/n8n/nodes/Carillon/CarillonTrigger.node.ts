import { createHmac, timingSafeEqual } from 'node:crypto'
import type {
  IDataObject,
  IHookFunctions,
  IHttpRequestOptions,
  INodeType,
  INodeTypeDescription,
  IWebhookFunctions,
  IWebhookResponseData,
  NodeConnectionType,
} from 'n8n-workflow'

const main: NodeConnectionType[] = ['main']
const toleranceSeconds = 300

const events = [
  { name: 'Account Needs a New Sign-In', value: 'connection.needs_reconnect' },
  { name: 'Post Failed', value: 'upload.failed' },
  { name: 'Post Partly Failed', value: 'upload.partial_failure' },
  { name: 'Post Published', value: 'upload.completed' },
  { name: 'Post Scheduled', value: 'upload.scheduled' },
  { name: 'Post Submitted for Approval', value: 'content.submitted' },
]

export class CarillonTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Carillon Trigger',
    name: 'carillonTrigger',
    icon: { light: 'file:carillon.svg', dark: 'file:carillon.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: 'Starts a workflow when a post was published or failed',
    defaults: { name: 'Carillon Trigger' },
    inputs: [],
    outputs: main,
    credentials: [{ name: 'carillonApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        required: true,
        default: ['upload.completed', 'upload.partial_failure', 'upload.failed'],
        options: events,
      },
    ],
  }

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { webhookId, secret } = this.getWorkflowStaticData('node')
        if (typeof webhookId !== 'string' || typeof secret !== 'string') return false
        const found = await requestIfFound(this, { method: 'GET', url: `/webhooks/${webhookId}` })
        if (found === null) return false
        const { data } = found
        const wanted = this.getNodeParameter('events')
        return data['url'] === this.getNodeWebhookUrl('default') && data['active'] === true && isSame(data['events'], wanted)
      },

      async create(this: IHookFunctions): Promise<boolean> {
        const stored = this.getWorkflowStaticData('node')
        // One of before, with another address or other events.
        await removeWebhook(this)
        const body = { url: this.getNodeWebhookUrl('default'), events: this.getNodeParameter('events') }
        const { data } = await request(this, { method: 'POST', url: '/webhooks', body })
        stored['webhookId'] = data['id']
        stored['secret'] = data['secret']
        return true
      },

      async delete(this: IHookFunctions): Promise<boolean> {
        await removeWebhook(this)
        return true
      },
    },
  }

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { secret } = this.getWorkflowStaticData('node')
    const { rawBody } = this.getRequestObject()
    if (typeof secret !== 'string' || !isSigned(this.getHeaderData(), rawBody, secret)) {
      this.getResponseObject().status(400).send('The signature is missing, wrong or too old.')
      return { noWebhookResponse: true }
    }
    const event = JSON.parse(rawBody.toString('utf8')) as IDataObject
    return { workflowData: [this.helpers.returnJsonArray([event])] }
  }
}

async function request(context: IHookFunctions, options: IHttpRequestOptions): Promise<{ data: IDataObject }> {
  const { baseUrl } = await context.getCredentials('carillonApi')
  const sent = { ...options, baseURL: String(baseUrl), json: true }
  return (await context.helpers.httpRequestWithAuthentication.call(context, 'carillonApi', sent)) as { data: IDataObject }
}

/** Null if somebody removed it in Carillon. Every other error is one of n8n already, because its helper made it. */
function requestIfFound(context: IHookFunctions, options: IHttpRequestOptions): Promise<{ data: IDataObject } | null> {
  return request(context, options).catch((error: unknown) => {
    if (isNotFound(error)) return null
    throw error
  })
}

async function removeWebhook(context: IHookFunctions): Promise<void> {
  const stored = context.getWorkflowStaticData('node')
  const { webhookId } = stored
  if (typeof webhookId !== 'string') return
  await requestIfFound(context, { method: 'DELETE', url: `/webhooks/${webhookId}` })
  delete stored['webhookId']
  delete stored['secret']
}

function isNotFound(error: unknown): boolean {
  const { httpCode, response } = error as { httpCode?: unknown; response?: { status?: unknown } }
  return String(httpCode ?? response?.status) === '404'
}

function isSame(found: unknown, wanted: unknown): boolean {
  if (!Array.isArray(found) || !Array.isArray(wanted)) return false
  return found.length === wanted.length && wanted.every((each) => found.includes(each))
}

/** Verifies the signature of the Standard Webhooks specification, which covers the time and the bytes of the body. */
function isSigned(headers: object, body: unknown, secret: string): body is Buffer {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures } = headers as Record<string, unknown>
  if (typeof id !== 'string' || typeof time !== 'string' || typeof signatures !== 'string' || !Buffer.isBuffer(body)) return false
  if (!/^\d{1,15}$/.test(time) || Math.abs(Date.now() / 1000 - Number(time)) > toleranceSeconds) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest()
  return signatures.split(' ').some((each) => {
    const given = Buffer.from(each.startsWith('v1,') ? each.slice(3) : '', 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
