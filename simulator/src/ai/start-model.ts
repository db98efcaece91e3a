import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { readBody } from '../http/read-body.ts'
import { json, type Reply } from '../http/reply.ts'
import { send } from '../http/send.ts'
import { complete, Model, type ChatCall } from './model.ts'
import { readScriptedAnswers } from './scripted-answer.ts'

export type RunningModel = { url: string; model: Model; close: () => Promise<void> }

/** A server with OpenAI's chat completions API under `/v1` and a control interface under `/_control`. */
export async function startModel({ port = 0, host = '127.0.0.1' } = {}): Promise<RunningModel> {
  const model = new Model()
  const server = createServer((request, response) => {
    readBody(request, (body) => {
      answer(model, request, response, body).catch((error: unknown) => send(response, failure(400, String(error))))
    })
  })
  server.keepAliveTimeout = 65_000
  await once(server.listen(port, host), 'listening')
  const address = server.address()
  const actualPort = typeof address === 'object' && address ? address.port : port
  return {
    url: `http://${host}:${actualPort}/v1`,
    model,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

async function answer(model: Model, request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
  switch (`${request.method} ${request.url}`) {
    case 'POST /v1/chat/completions':
      return chat(model, response, { authorization: request.headers.authorization, ...JSON.parse(body.toString()) })
    case 'GET /v1/models':
      return send(response, json(200, { object: 'list', data: [{ id: 'test-model', object: 'model' }] }))
    case 'POST /_control/turns':
      model.next(...readScriptedAnswers(JSON.parse(body.toString())))
      return send(response, json(200, {}))
    case 'GET /_control/calls':
      return send(response, json(200, model.calls))
    case 'POST /_control/reset':
      model.reset()
      return send(response, json(200, {}))
    default:
      return send(response, failure(404, 'no such route'))
  }
}

async function chat(model: Model, response: ServerResponse, call: ChatCall): Promise<void> {
  const scripted = model.record(call)
  if (scripted && 'drop' in scripted) {
    response.destroy()
    return
  }
  if (scripted && 'delayMs' in scripted) await wait(scripted.delayMs, undefined, { ref: false })
  if (scripted && 'status' in scripted) {
    const { status, retryAfterSeconds, message = 'simulated failure' } = scripted
    const reply = failure(status, message)
    if (retryAfterSeconds !== undefined) reply.headers['retry-after'] = String(retryAfterSeconds)
    return send(response, reply)
  }
  send(response, json(200, complete(call, scripted)))
}

function failure(status: number, message: string): Reply {
  return json(status, { error: { message, type: 'simulated', code: null } })
}
