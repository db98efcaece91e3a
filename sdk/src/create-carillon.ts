import { refuseUnknown } from './check-options.ts'
import { createMethods } from './methods.gen.ts'
import { uploadFile } from './upload-file.ts'
import { waitUntilFinished } from './wait-until-finished.ts'
import { createTransport } from './create-transport.ts'

export type CarillonOptions = {
  /** The URL of your Carillon server including `/api`, for example `https://carillon.example/api`. */
  baseUrl: string
  /** Without a key, requests are authenticated by the session cookie of the browser. */
  apiKey?: string
  /** The default workspace; a call can override it. All methods need one except those of `workspaces` and `platforms`. */
  workspaceId?: string
  fetch?: (request: Request) => Promise<Response>
  /** The maximum number of retries of a failed call. Default: 3; 0 switches retries off. */
  retries?: number
  /** The wait before the first retry. It doubles with every further retry. Default: 250. */
  retryDelayMs?: number
  /** The timeout of each attempt. Default: 60,000. */
  timeoutMs?: number
}

export type Carillon = ReturnType<typeof createCarillon>

const clientOptions = ['baseUrl', 'apiKey', 'workspaceId', 'fetch', 'retries', 'retryDelayMs', 'timeoutMs']

/** Creates a client with one method for every operation of the API, and a few that combine several operations. */
export function createCarillon(options: CarillonOptions) {
  refuseUnknown(options, { what: 'The options of createCarillon', known: clientOptions })
  const { baseUrl, apiKey, workspaceId, retries = 3, retryDelayMs = 250, timeoutMs = 60_000 } = options
  // The global fetch is looked up at each call, so that a later replacement (by a test or by tracing) is used.
  const fetch = options.fetch ?? ((request: Request) => globalThis.fetch(request))
  const policy = { fetch, retries, retryDelayMs, timeoutMs }
  const methods = createMethods(createTransport({ baseUrl, apiKey, workspaceId, ...policy }))
  return {
    ...methods,
    content: { ...methods.content, waitUntilFinished: waitUntilFinished(methods.content.status) },
    media: { ...methods.media, uploadFile: uploadFile(methods.media, policy) },
  }
}
