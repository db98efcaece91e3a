import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { json } from '../http/reply.ts'
import type { SimulatorState } from '../state/simulator-state.ts'
import type { ControlContext, ControlRoute } from './control-route.ts'
import { bodyOf } from './load-account.ts'

export function recordingRoutes({ simulator: { recording } }: ControlContext): ControlRoute[] {
  return [
    {
      method: 'POST',
      path: '/recording',
      answer(call) {
        recording.on = bodyOf(call)['on'] === true
        // Switching on starts a new recording; switching off keeps the recorded lines for reading.
        if (recording.on) recording.clear()
        return json(200, { on: recording.on })
      },
    },
  ]
}

/** Streams the recording, because that of a long benchmark does not fit in one string. */
export function sendRecording({ recording }: SimulatorState, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  Readable.from(recording.chunks()).pipe(response)
}
