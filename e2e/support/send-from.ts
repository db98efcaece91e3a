import { Agent, request } from 'node:http'
import { testStack } from '../test-stack.ts'

type Sent = { method?: string; path: string; headers?: Record<string, string>; body?: string; origin?: string }
export type Answer = { status: number; headers: Record<string, unknown>; text: string; ms: number }

const stackOrigin = testStack.baseUrl.replace(/\/api$/, '')

/** Sends requests from another address of this machine (`127.0.0.N`), which counts as another network. Connections are reused. */
export function createSender(localAddress: string, connections = 20) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, localAddress })
  const send = ({ method = 'GET', path, headers = {}, body, origin = stackOrigin }: Sent) =>
    new Promise<Answer>((resolve, reject) => {
      const begunMs = performance.now()
      const type = body === undefined || 'content-type' in headers ? {} : { 'content-type': 'application/json' }
      const sent = request(new URL(path, origin), { method, agent, headers: { ...type, ...headers } }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, ms: performance.now() - begunMs }),
        )
      })
      sent.on('error', reject)
      sent.end(body)
    })
  return { send, close: () => agent.destroy() }
}
