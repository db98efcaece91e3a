import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll } from 'vitest'

type SocialCall = { method: string; path: string; headers: IncomingMessage['headers']; body: string }
/** Answers a call, or leaves it without an answer. */
export type SocialAnswer = (call: SocialCall, response: ServerResponse) => void

export const answerJson = (response: ServerResponse, body: unknown, status = 200): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** A server that speaks like Mastodon and answers as the test says. It listens while the tests of the calling file run. */
export function useSocialServer(answer: SocialAnswer) {
  const calls: SocialCall[] = []
  let url = ''
  const server = createServer((request, response) => {
    response.on('error', () => {})
    void text(request).then(
      (body) => {
        const call = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body }
        calls.push(call)
        answer(call, response)
      },
      () => {},
    )
  })
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: () => url,
    calls: (method: string, path: string) => calls.filter((each) => each.method === method && each.path.startsWith(path)),
  }
}
