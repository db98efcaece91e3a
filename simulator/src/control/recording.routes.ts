import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { json } from '../http/reply.ts'
import type { World } from '../state/simulator-state.ts'
import type { Control, ControlRoute } from './create-control.ts'
import { bodyOf } from './load-account.ts'

export function recordingRoutes({ world: { recording } }: Control): ControlRoute[] {
  return [
    {
      method: 'POST',
      path: '/recording',
      answer(call) {
        recording.on = bodyOf(call)['on'] === true
        // Switching on starts afresh; switching off keeps what was recorded to be read.
        if (recording.on) recording.clear()
        return json(200, { on: recording.on })
      },
    },
  ]
}

/** Streamed: a long benchmark's recording does not fit one string. */
export function sendRecording({ recording }: World, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  Readable.from(recording.chunks()).pipe(response)
}
