import { createServer, type IncomingMessage } from 'node:http'
import { createCarillon, createWebhookReceiver, readConnectResult } from '@carillon/sdk'

/**
 * A program whose customers publish with Carillon without knowing it. A customer presses "Connect", agrees on the platform, confirms, and is
 * back here. `CARILLON_KEY` needs the scopes connections:invite and webhooks:write.
 */
const { CARILLON_URL, CARILLON_KEY, CARILLON_WORKSPACE, PUBLIC_URL, PORT } = process.env as Record<string, string>
const carillon = createCarillon({ baseUrl: CARILLON_URL, apiKey: CARILLON_KEY, workspaceId: CARILLON_WORKSPACE })

// A real program keeps these in its database.
const links = new Map<string, { customer: string; secret: string }>()
const connections = new Map<string, string>()

const webhook = await carillon.webhooks.create({ url: `${PUBLIC_URL}/webhook`, events: ['connection.connected'] })
const receiver = createWebhookReceiver({
  secret: webhook.secret,
  onEvent(event) {
    // The customer may have closed the page before coming back, so this is what counts.
    if (event.event === 'connection.connected' && event.data.externalId)
      connections.set(event.data.externalId, event.data.connectionId)
  },
})

/** Where a customer goes to connect an account. */
async function connect(customer: string): Promise<string> {
  const { id, url, returnSecret } = await carillon.connectLinks.create({
    platforms: ['x', 'mastodon'],
    externalId: customer,
    returnUrl: `${PUBLIC_URL}/done`,
    expiresInDays: 1,
  })
  links.set(id, { customer, secret: returnSecret ?? '' })
  return url ?? ''
}

/** What a customer is told who is back. The result names its link, and the secret of that link says whether it is true. */
async function welcome(address: URL): Promise<string> {
  for (const [id, { customer, secret }] of links) {
    const result = await readConnectResult(address, secret)
    if (result?.linkId !== id) continue
    links.delete(id)
    return result.state === 'connected' ? `Welcome back, ${customer}: ${result.connectionId}` : `Maybe later, ${customer}`
  }
  return 'This result is unknown or was used before.'
}

// Your own sign-in says which customer it is. Here, the address does.
async function answer(request: IncomingMessage): Promise<{ status: number; headers?: Record<string, string>; text: string }> {
  const address = new URL(request.url ?? '/', PUBLIC_URL)
  const [, page = '', customer = ''] = address.pathname.split('/')
  if (page === 'connect') return { status: 303, headers: { location: await connect(customer) }, text: '' }
  if (page === 'done') return { status: 200, text: await welcome(address) }
  if (page === 'account') return { status: 200, text: connections.get(customer) ?? 'not connected' }
  return { status: 404, text: 'Not found' }
}

createServer((request, response) => {
  if (request.url === '/webhook') return receiver.listener(request, response)
  answer(request).then(
    ({ status, headers = {}, text }) => response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(text),
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
}).listen(Number(PORT), () => console.log('ready'))
