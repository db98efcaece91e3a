import createClient, { type Client } from 'openapi-fetch'
import type { CallOptions } from './operation.ts'
import { readError } from './read-error.ts'
import type { paths } from './schema.gen.ts'
import { sendWithRetries, type RetryPolicy } from './send-with-retries.ts'

type TransportOptions = RetryPolicy & { baseUrl: string; apiKey: string | undefined; workspaceId: string | undefined }

/** What a generated method adds to its request: the fetch with retries, headers and signal, and the workspace header if it needs one. */
type Call = {
  init: { fetch: (request: Request) => Promise<Response>; headers: Record<string, string>; signal?: AbortSignal }
  inWorkspace: () => { 'X-Workspace-Id': string }
  /** For the few methods whose path is not below the one of the API. */
  hostUrl: string
}

// The types of openapi-fetch drop a field that can only be null, so `data` is optional here.
type JsonResult<Data> = { data?: { success: true; data?: Data }; error?: unknown; response: Response }
type TextResult = { data?: string; error?: unknown; response: Response }

export type Transport = {
  client: Client<paths>
  /** Runs one call. Gives the `data` of the response envelope or throws a CarillonError. */
  send: <Data>(options: CallOptions | undefined, run: (call: Call) => Promise<JsonResult<Data>>) => Promise<Data>
  /** The same for a response that is a text file. */
  sendForText: (options: CallOptions | undefined, run: (call: Call) => Promise<TextResult>) => Promise<string>
}

/** Connects the generated methods with openapi-fetch, the retries and the error handling. */
export function createTransport({ baseUrl, apiKey, workspaceId, ...policy }: TransportOptions): Transport {
  const client = createClient<paths>({ baseUrl, ...(apiKey !== undefined && { headers: { Authorization: `Bearer ${apiKey}` } }) })

  function createCall(options: CallOptions, onResponse: (response: Response) => void): Call {
    const { signal, timeoutMs = policy.timeoutMs } = options
    return {
      init: {
        async fetch(request) {
          const response = await sendWithRetries(request, { ...policy, timeoutMs })
          onResponse(response)
          return response
        },
        headers: headersOf(options),
        ...(signal && { signal }),
      },
      // A page of the host itself may give only `/api`. An empty address would mean the default one.
      hostUrl: baseUrl.replace(/\/api\/?$/, '') || '/',
      inWorkspace() {
        const id = options.workspaceId ?? workspaceId
        if (id === undefined) throw new TypeError('The workspace is missing: give workspaceId to createCarillon or to this call.')
        return { 'X-Workspace-Id': id }
      },
    }
  }

  return {
    client,
    async send(options, run) {
      const responses: Response[] = []
      const call = createCall(options ?? {}, (response) => responses.push(response))
      const { data, error, response } = await run(call).catch((cause: unknown) => {
        const [received] = responses
        // A success status without JSON does not come from Carillon, for example the page of a proxy.
        throw cause instanceof SyntaxError && received ? readError(received, null) : cause
      })
      if (data?.success !== true || data.data === undefined) throw readError(response, error)
      return data.data
    },
    async sendForText(options, run) {
      const { data, error, response } = await run(createCall(options ?? {}, () => {}))
      if (data === undefined) throw readError(response, error)
      return data
    },
  }
}

function headersOf({ idempotencyKey, ifUpdatedAt, autosave }: CallOptions): Record<string, string> {
  return {
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    ...(ifUpdatedAt !== undefined && { 'If-Match': `"${ifUpdatedAt}"` }),
    ...(autosave && { Prefer: 'autosave' }),
  }
}
